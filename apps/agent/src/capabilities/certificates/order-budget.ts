import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { storeDurably } from '../../node/durable-files.ts';
import { AuthorityError } from './authority.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOW_MS = 3 * HOUR_MS;

/**
 * Maximum number of new orders in a window: Let's Encrypt accepts 300 for an ACME account within three hours. A part is
 * reserved for renewals, so no site loses HTTPS because another account requests certificates again and again.
 */
export const ORDERS_IN_WINDOW = 250;
export const FIRST_ORDERS_IN_WINDOW = 150;
export const FIRST_ORDERS_OF_ACCOUNT = 50;

export interface NewOrder {
  readonly uid: number;
  readonly name: string;
  /** Renews a certificate that already serves: nobody requested another one. */
  readonly isRenewal: boolean;
}

const entrySchema = z.strictObject({
  /** ms since 1970 */
  at: z.int().min(0),
  uid: z.int().min(0),
  name: z.string(),
  is_renewal: z.boolean(),
});
type Entry = z.infer<typeof entrySchema>;

/** The orders of this server's ACME account. The count survives restarts of the agent. */
export class OrderBudget {
  readonly #file: string;
  readonly #ofNameADay: number;
  readonly #now: () => number;
  #entries: Promise<Entry[]> | undefined;
  #stored: Promise<void> = Promise.resolve();

  constructor(file: string, ofNameADay: number, now: () => number = Date.now) {
    this.#file = file;
    this.#ofNameADay = ofNameADay;
    this.#now = now;
  }

  /** Counts an order before it is made. Throws AuthorityError with the time to wait when the limit is reached. */
  async take({ uid, name, isRenewal }: NewOrder): Promise<void> {
    this.#entries ??= this.#load();
    const entries = await this.#entries;
    const now = this.#now();
    const since = (ms: number, of: (entry: Entry) => boolean) =>
      entries.filter((entry) => entry.at > now - ms && of(entry));
    const refuse = (whose: string, spent: readonly Entry[], most: number, ms: number) => {
      if (spent.length < most) return;
      const free = spent[spent.length - most]!.at + ms;
      throw new AuthorityError(
        `${whose} has used up its ${most} orders of certificates within ${ms / HOUR_MS} hours; the next one begins after ${new Date(free).toISOString().slice(0, 16)}Z.`,
        { refused: false, waitMs: Math.max(1, free - now), type: 'orderBudget' },
      );
    };
    refuse(
      'This server',
      since(WINDOW_MS, () => true),
      ORDERS_IN_WINDOW,
      WINDOW_MS,
    );
    if (!isRenewal) {
      const first = (entry: Entry) => !entry.is_renewal;
      refuse('This server', since(WINDOW_MS, first), FIRST_ORDERS_IN_WINDOW, WINDOW_MS);
      const ofAccount = since(WINDOW_MS, (entry) => first(entry) && entry.uid === uid);
      refuse('This account', ofAccount, FIRST_ORDERS_OF_ACCOUNT, WINDOW_MS);
      const ofName = since(DAY_MS, (entry) => first(entry) && entry.name === name);
      refuse(name, ofName, this.#ofNameADay, DAY_MS);
    }
    entries.push({ at: now, uid, name, is_renewal: isRenewal });
    entries.splice(
      0,
      entries.findIndex(({ at }) => at > now - DAY_MS),
    );
    this.#stored = this.#stored.catch(() => undefined).then(() => this.#store(entries));
    await this.#stored;
  }

  async #store(entries: readonly Entry[]): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    await storeDurably(this.#file, JSON.stringify(entries));
  }

  /** A lost or damaged file counts as no orders: the authority still enforces its own limits. */
  async #load(): Promise<Entry[]> {
    try {
      return entrySchema.array().parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch {
      return [];
    }
  }
}
