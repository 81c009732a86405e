import type { AccountMail, AccountSpec, Answer, Question } from '@innkeeper/protocol';
import type { Clock } from '../../node/clock.ts';
import type { Log } from '../../node/log.ts';
import { type MailCounts, readCountsOf, readRecentCounts } from './mail-counters.ts';
import type { MailQueue, QueuedMail } from './mail-queue.ts';

/** Accounts with more than this in the queue are refused until it is less: see submit-mail. */
export const FULL = { messages: 2_000, bytes: 256 * 1024 * 1024 } as const;
const EVERY_MS = 30_000;

const NOTHING: Omit<MailCounts, never> = {
  hour: 0,
  hour_sent: 0,
  hour_refused: 0,
  day: 0,
  day_sent: 0,
  day_refused: 0,
};

export interface MailWatchDeps {
  readonly queue: Pick<MailQueue, 'list' | 'of'>;
  readonly specOf: (uid: number) => AccountSpec | undefined;
  readonly findAccount: (accountId: number) => AccountSpec | undefined;
  /** Queues a pass for the account: its mail is held, released or deleted there. */
  readonly check: (uid: number) => void;
  /** Deletes the messages of a uid that has no account. */
  readonly deleteOf: (uid: number) => Promise<void>;
  /** Tells submit-mail which uids have too much in the queue. */
  readonly writeFull: (uids: readonly number[]) => Promise<void>;
  /** Whether the services that take and deliver mail run; true while the server has no relay. */
  readonly runs: () => Promise<boolean>;
  readonly onRuns: (runs: boolean) => void;
  readonly clock: Clock;
  readonly unixMs: () => number;
  readonly log: Log;
  /** Folder of the counters, for tests. */
  readonly counters?: string;
}

/** What operators watch of the queue. */
export interface MailFigures {
  readonly mail_queued: number;
  readonly mail_queue_oldest_seconds: number;
  readonly mail_queue_bytes: number;
  readonly mail_sent_today: number;
  readonly mail_refused_today: number;
}

/**
 * Looks at the queue and the counters every 30 s. The mail of an account that is suspended or gone, and that arrived
 * after its queue was held or deleted, is found here. While the queue is empty and nobody sends, this reads a few folders.
 */
export class MailWatch {
  readonly #deps: MailWatchDeps;
  #mails: readonly QueuedMail[] = [];
  #counts: ReadonlyMap<number, MailCounts> = new Map();
  #full = '';
  #cancel = () => {};
  #stopped = false;
  #underWay: Promise<void> = Promise.resolve();

  constructor(deps: MailWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    const run = () => {
      this.#underWay = this.look()
        .catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, 'The mail queue of accounts could not be read.'),
        )
        .then(() => {
          if (!this.#stopped) this.#cancel = this.#deps.clock.after(EVERY_MS, run);
        });
    };
    run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#underWay;
  }

  async look(): Promise<void> {
    const { queue, specOf, check, deleteOf, onRuns, runs } = this.#deps;
    onRuns(await runs());
    this.#counts = await readRecentCounts(this.#deps.unixMs(), this.#deps.counters);
    this.#mails = await queue.list();
    const ofUid = Map.groupBy(this.#mails, ({ uid }) => uid);
    await this.#tellFull(ofUid);
    for (const [uid, mails] of ofUid) {
      if (uid === undefined || uid === 0) continue;
      const state = specOf(uid)?.desired_state ?? 'absent';
      const isHeld = mails.some((mail) => mail.isHeld);
      const isWaiting = mails.some((mail) => !mail.isHeld);
      if (specOf(uid) === undefined) await deleteOf(uid);
      else if (state === 'absent' || (state === 'active' ? isHeld : isWaiting)) check(uid);
    }
  }

  async #tellFull(ofUid: ReadonlyMap<number | undefined, readonly QueuedMail[]>): Promise<void> {
    const full = [...ofUid].flatMap(([uid, mails]) => {
      const bytes = mails.reduce((sum, mail) => sum + mail.bytes, 0);
      return uid !== undefined && (mails.length > FULL.messages || bytes > FULL.bytes) ? [uid] : [];
    });
    const text = full.sort((a, b) => a - b).join();
    if (text === this.#full) return;
    await this.#deps.writeFull(full);
    this.#full = text;
  }

  figures(): MailFigures {
    const waiting = this.#mails.filter(({ isHeld }) => !isHeld);
    const oldest = Math.min(...waiting.map(({ arrivedAt }) => arrivedAt));
    const today = Math.floor(this.#deps.unixMs() / 86_400_000);
    const sum = (field: 'day_sent' | 'day_refused') =>
      [...this.#counts.values()].reduce((total, of) => total + (of.day === today ? of[field] : 0), 0);
    return {
      mail_queued: this.#mails.length,
      mail_queue_oldest_seconds:
        waiting.length === 0 ? 0 : Math.max(0, Math.round(this.#deps.unixMs() / 1_000 - oldest)),
      mail_queue_bytes: this.#mails.reduce((total, { bytes }) => total + bytes, 0),
      mail_sent_today: sum('day_sent'),
      mail_refused_today: sum('day_refused'),
    };
  }

  /** The accounts that sent today or yesterday, or have something in the queue, as of the last look. */
  report(): AccountMail[] {
    const queued = Map.groupBy(this.#mails, ({ uid }) => uid);
    const uids = new Set([...this.#counts.keys(), ...queued.keys()]);
    return [...uids].flatMap((uid) => {
      const spec = uid === undefined ? undefined : this.#deps.specOf(uid);
      if (uid === undefined || spec === undefined || spec.desired_state === 'absent') return [];
      const counts = this.#counts.get(uid) ?? NOTHING;
      return [{ account_id: spec.account_id, ...counts, queued: queued.get(uid)?.length ?? 0 }];
    });
  }

  /** Reads the counters and the queue now. */
  async answer({ account_id }: Question<'account-mail'>): Promise<Answer<'account-mail'>> {
    const spec = this.#deps.findAccount(account_id);
    if (spec === undefined) return { mail: null, waits_because: '' };
    const [counts, mails] = await Promise.all([
      readCountsOf(spec.uid, this.#deps.counters),
      this.#deps.queue.of(spec.uid),
    ]);
    const oldest = mails.filter(({ reason }) => reason !== '').sort((a, b) => a.arrivedAt - b.arrivedAt)[0];
    const isNothing = counts === undefined && mails.length === 0;
    return {
      mail: isNothing ? null : { account_id, ...(counts ?? NOTHING), queued: mails.length },
      waits_because: oldest?.reason ?? '',
    };
  }
}
