import type { Clock } from '../../node/clock.ts';
import type { Log } from '../../node/log.ts';
import type { Disk, StoredThings } from './host.ts';

export interface DiskUsageDeps {
  readonly disk: Disk;
  readonly accounts: () => readonly StoredThings[];
  readonly clock: Clock;
  readonly log: Log;
  /** Called after every account was measured once more; `tookMs` excludes the rests. */
  readonly onSwept?: (tookMs: number) => void;
}

type Reason = 'first' | 'requested' | 'sweep';

/** Each program takes 12 ms to start; 40 small homes take as long. */
const AT_ONCE = 256;
const SWEEP_EVERY_MS = 600_000;
/** A figure older than this many ms is measured again when somebody asks for it. */
const FRESH_MS = 30_000;
/** Rest after each kind of work, as a multiple of its duration: it uses at most a twentieth, or a fifth, of a core. */
const RESTS: Record<Reason, number> = { first: 0, requested: 4, sweep: 19 };

/**
 * The disk usage of accounts, in memory. Callers get the known figure at once, and an outdated figure is measured again
 * for the next caller. After the background sweep is started, it measures every account in turn, the first time without
 * rests, then with rests.
 */
export class DiskUsage {
  readonly #deps: DiskUsageDeps;
  readonly #known = new Map<number, { bytes: number; at: number }>();
  readonly #requested = new Map<number, StoredThings>();
  #isSweeping = false;
  #toSweep: StoredThings[] = [];
  #sweep = { startedAt: Number.NEGATIVE_INFINITY, tookMs: 0, count: 0 };
  readonly #restUntil: Record<Reason, number> = { first: 0, requested: 0, sweep: 0 };
  #measuring: Promise<void> | undefined;
  #measured = Promise.withResolvers<void>();
  #cancelWait = () => {};
  readonly #stop = new AbortController();

  constructor(deps: DiskUsageDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isSweeping = true;
    this.#goOn();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancelWait();
    await this.#measuring;
  }

  /** Undefined until the account was measured for the first time. */
  bytesOf(uid: number): number | undefined {
    return this.#known.get(uid)?.bytes;
  }

  /** Has outdated figures measured again. Waits only for accounts that were never measured, and at most `waitMs`. */
  async refresh(accounts: readonly StoredThings[], waitMs: number, freshMs = FRESH_MS): Promise<void> {
    const { clock } = this.#deps;
    const now = clock.now();
    for (const account of accounts) {
      const at = this.#known.get(account.owner.uid)?.at ?? Number.NEGATIVE_INFINITY;
      if (now - at > freshMs) this.#requested.set(account.owner.uid, account);
    }
    this.#goOn();
    const isUnknown = ({ owner }: StoredThings) => this.bytesOf(owner.uid) === undefined;
    let isLate = false;
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(waitMs, () => {
      isLate = true;
      late.resolve();
    });
    while (!isLate && !this.#stop.signal.aborted && accounts.some(isUnknown))
      await Promise.race([this.#measured.promise, late.promise]);
    cancel();
  }

  #goOn(): void {
    if (this.#measuring !== undefined || this.#stop.signal.aborted) return;
    this.#cancelWait();
    const next = this.#next();
    if ('waitMs' in next) {
      if (Number.isFinite(next.waitMs))
        this.#cancelWait = this.#deps.clock.after(next.waitMs, () => this.#goOn());
      return;
    }
    this.#measuring = this.#measure(next.batch, next.reason).finally(() => {
      this.#measuring = undefined;
      this.#measured.resolve();
      this.#measured = Promise.withResolvers();
      this.#goOn();
    });
  }

  /** Returns what to measure now, or how long to rest: without end when nobody asks and no sweep runs. */
  #next(): { batch: readonly StoredThings[]; reason: Reason } | { waitMs: number } {
    const now = this.#deps.clock.now();
    const requested = [...this.#requested.values()];
    const never = requested.filter(({ owner }) => !this.#known.has(owner.uid));
    if (never.length > 0) return { batch: never.slice(0, AT_ONCE), reason: 'first' };
    if (requested.length > 0 && now >= this.#restUntil.requested)
      return { batch: requested.slice(0, AT_ONCE), reason: 'requested' };
    const nextSweepAt = this.#isSweeping ? this.#sweep.startedAt + SWEEP_EVERY_MS : Number.POSITIVE_INFINITY;
    if (this.#toSweep.length === 0 && now >= nextSweepAt) this.#startSweep(now);
    const sweepAt = this.#toSweep.length === 0 ? nextSweepAt : this.#restUntil.sweep;
    if (this.#toSweep.length > 0 && now >= sweepAt)
      return { batch: this.#toSweep.slice(0, AT_ONCE), reason: 'sweep' };
    const waits = requested.length === 0 ? [sweepAt] : [sweepAt, this.#restUntil.requested];
    return { waitMs: Math.max(0, Math.min(...waits) - now) };
  }

  #startSweep(now: number): void {
    this.#toSweep = [...this.#deps.accounts()];
    this.#sweep = { startedAt: now, tookMs: 0, count: this.#sweep.count + 1 };
    const uids = new Set(this.#toSweep.map(({ owner }) => owner.uid));
    for (const uid of this.#known.keys()) if (!uids.has(uid)) this.#known.delete(uid);
  }

  async #measure(batch: readonly StoredThings[], reason: Reason): Promise<void> {
    const { clock, disk, log } = this.#deps;
    const startedAt = clock.now();
    try {
      const measured = await disk.measure(batch, this.#stop.signal);
      for (const [uid, bytes] of measured) this.#known.set(uid, { bytes, at: clock.now() });
      const uids = batch.map(({ owner }) => owner.uid).filter((uid) => !measured.has(uid));
      if (uids.length > 0 && !this.#stop.signal.aborted)
        log.warn({ uids }, 'The disk usage of some accounts could not be measured. Their last values stay.');
    } catch (error) {
      log.warn({ err: error }, 'The disk usage of some accounts could not be measured.');
    }
    for (const { owner } of batch) this.#requested.delete(owner.uid);
    const now = clock.now();
    if (reason === 'sweep') this.#noteSwept(batch.length, now - startedAt);
    const isFirstSweep = reason === 'sweep' && this.#sweep.count === 1;
    this.#restUntil[reason] = now + (isFirstSweep ? 0 : RESTS[reason] * (now - startedAt));
  }

  #noteSwept(accounts: number, tookMs: number): void {
    this.#toSweep.splice(0, accounts);
    this.#sweep.tookMs += tookMs;
    if (this.#toSweep.length === 0) this.#deps.onSwept?.(this.#sweep.tookMs);
  }
}
