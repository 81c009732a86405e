import type { AccountSpec } from '@innkeeper/protocol';
import { ownerOf } from '../claim.ts';
import type { Host } from '../host.ts';
import type { DiskUsage } from './disk-usage.ts';
import type { StoredThings } from './host.ts';

export interface DiskLimitDeps {
  readonly host: Pick<Host, 'databases' | 'disk' | 'fullDisks'>;
  readonly disk: Pick<DiskUsage, 'bytesOf' | 'refresh'>;
  readonly specs: () => readonly AccountSpec[];
  readonly storedThingsOf: (spec: AccountSpec) => StoredThings;
  /** Requests a pass over an account: its databases become read-only, or writable again. */
  readonly check: (uid: number) => void;
  /** Monotonic clock, ms. */
  readonly now: () => number;
}

/**
 * When the databases' file system has grown by this many bytes, all databases are measured: so no account can fill it
 * between two sweeps.
 */
const GROWTH_BYTES = 64 * 1_048_576;
/** An account whose databases grew by this many bytes is measured together with its home. */
const ACCOUNT_GROWTH_BYTES = 8 * 1_048_576;
/**
 * After a measurement because of growth: rest, as a multiple of its duration. So it takes at most a fifth of the time.
 */
const REST = 4;

/** Detects accounts that become full, and full accounts that become smaller. */
export class DiskLimitWatch {
  readonly #deps: DiskLimitDeps;
  #used: number | undefined;
  #databases = new Map<number, number>();
  #notBefore = 0;

  constructor(deps: DiskLimitDeps) {
    this.#deps = deps;
  }

  async watch(): Promise<void> {
    await this.#findGrown();
    const { host, disk, specs, check } = this.#deps;
    const present = specs();
    await host.fullDisks.keep(new Set(present.map(({ uid }) => uid)));
    for (const spec of present) {
      const bytes = disk.bytesOf(spec.uid);
      if (bytes !== undefined && (await host.fullDisks.note(ownerOf(spec), bytes, spec.limits.disk_mb)))
        check(spec.uid);
    }
  }

  async #findGrown(): Promise<void> {
    const { host, disk, specs, storedThingsOf, now } = this.#deps;
    const used = await host.databases.usedBytes();
    if (used === undefined || now() < this.#notBefore) return;
    const before = this.#used;
    if (before !== undefined && used < before + GROWTH_BYTES) {
      this.#used = Math.min(before, used);
      return;
    }
    this.#used = used;
    const startedAt = now();
    const accounts = specs()
      .map(storedThingsOf)
      .filter(({ databases }) => databases.length > 0);
    const sizes = await host.disk.measureDatabases(accounts);
    const grown = accounts.filter(({ owner: { uid } }) => {
      const size = sizes.get(uid) ?? 0;
      return before !== undefined && size > (this.#databases.get(uid) ?? 0) + ACCOUNT_GROWTH_BYTES;
    });
    this.#databases = new Map(sizes);
    this.#notBefore = now() + REST * (now() - startedAt);
    await disk.refresh(grown, 0, 0);
  }

  /**
   * The owner of a full account deletes what it can. This method then returns the free space in its tables to the disk,
   * and measures the account.
   */
  async giveBackRoom(): Promise<void> {
    const { host, disk, specs, storedThingsOf } = this.#deps;
    const full = specs()
      .filter((spec) => host.fullDisks.isFull(ownerOf(spec)))
      .map(storedThingsOf);
    for (const { owner, databases } of full) await host.databases.giveBackRoom(owner, databases);
    await disk.refresh(full, 0);
  }
}
