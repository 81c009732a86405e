import { USAGE_INTERVAL_S } from '@innkeeper/protocol';

/** A time by both clocks, in ms. */
export interface Moment {
  /** Since 1970: an operator or NTP can set it. */
  readonly unixMs: number;
  /** Monotonic. */
  readonly nowMs: number;
}

/** Difference of both clocks between two samples above which the time was set. */
const MOST_DRIFT_MS = 10_000;
/** Longer pauses between samples mean that the server was stopped, or the agent was too busy to measure. */
const LONGEST_PAUSE_MS = 90_000;

/**
 * Decides which intervals of 5 minutes were measured from their start to their end. One in which the agent started, the
 * server's time was set or no sample was taken for long is left out: a gap is better than a wrong figure.
 */
export class IntervalClock {
  #last: Moment | undefined;
  #start = 0;
  #isWhole = false;

  /** Call it with each sample. `ended`: a new interval has begun; `completed`: the start of a fully measured one. */
  tick(moment: Moment): { ended: boolean; completed: number | undefined } {
    const start = Math.floor(moment.unixMs / 1_000 / USAGE_INTERVAL_S) * USAGE_INTERVAL_S;
    const isSteady = this.#isSteady(moment);
    this.#last = moment;
    if (!isSteady) this.#isWhole = false;
    if (start === this.#start) return { ended: false, completed: undefined };
    const isNext = start === this.#start + USAGE_INTERVAL_S;
    const completed = this.#isWhole && isNext ? this.#start : undefined;
    this.#start = start;
    this.#isWhole = isSteady && isNext;
    return { ended: true, completed };
  }

  #isSteady({ unixMs, nowMs }: Moment): boolean {
    if (this.#last === undefined) return false;
    const passedMs = nowMs - this.#last.nowMs;
    const driftMs = unixMs - this.#last.unixMs - passedMs;
    return passedMs <= LONGEST_PAUSE_MS && Math.abs(driftMs) <= MOST_DRIFT_MS;
  }
}
