import type { UsageReport } from '@innkeeper/protocol';
import { type ControlPlane, ControlPlaneError } from '../control-plane/control-plane.ts';
import type { Clock } from '../node/clock.ts';
import type { Log } from '../node/log.ts';

export interface UsageReporterDeps {
  readonly controlPlane: Pick<ControlPlane, 'reportUsage'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** All servers complete an interval at the same second. */
const SPREAD_MS = 60_000;
const RETRY_MS = 30_000;
/** 15 minutes: 10,000 accounts need a few MB. Older ones become a gap in the history. */
const MOST_INTERVALS = 3;

/** Sends completed intervals to the control plane, in order. Keeps the newest three while it does not answer. */
export class UsageReporter {
  readonly #deps: UsageReporterDeps;
  #waiting: UsageReport[][] = [];
  #isSending = false;
  #hasFailed = false;
  #stopped = false;
  #cancel = () => {};

  constructor(deps: UsageReporterDeps) {
    this.#deps = deps;
  }

  /** Queues the parts of an interval. */
  add(parts: readonly UsageReport[]): void {
    if (parts.length === 0 || this.#stopped) return;
    this.#waiting = [...this.#waiting, [...parts]].slice(-MOST_INTERVALS);
    if (!this.#isSending) this.#sendAfter(this.#deps.random() * SPREAD_MS);
  }

  /** The running call ends by itself. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #sendAfter(ms: number): void {
    this.#isSending = true;
    this.#cancel();
    this.#cancel = this.#deps.clock.after(ms, () => void this.#send());
  }

  async #send(): Promise<void> {
    for (;;) {
      const [parts] = this.#waiting;
      const [part] = parts ?? [];
      if (parts === undefined || part === undefined || this.#stopped) break;
      try {
        await this.#deps.controlPlane.reportUsage(part);
        this.#hasFailed = false;
      } catch (error) {
        if (error instanceof ControlPlaneError && error.code === 'superseded') return this.stop();
        const isRefused = error instanceof ControlPlaneError && error.code === 'refused';
        if (!this.#hasFailed)
          this.#deps.log.warn({ err: error }, 'The control plane did not accept the usage of an interval.');
        this.#hasFailed = true;
        if (!isRefused) return this.#sendAfter(RETRY_MS);
      }
      parts.shift();
      if (parts.length === 0) this.#waiting = this.#waiting.filter((interval) => interval !== parts);
    }
    this.#isSending = false;
  }
}
