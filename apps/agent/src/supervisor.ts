import type { Clock } from './node/clock.ts';
import type { Log } from './node/log.ts';

export interface SupervisorDeps {
  /** Tells systemd, as sd_notify(3) does; undefined when nobody listens. */
  notify: ((assignments: readonly string[]) => Promise<unknown>) | undefined;
  /** The longest silence that the watchdog bears, ms; undefined without one. */
  watchdogMs: number | undefined;
  /** The age of the oldest step of a driver that is under way, ms. */
  oldestStepMs: () => number;
  clock: Clock;
  log: Log;
}

export interface Supervisor {
  ready(): Promise<void>;
  /** Ends the watchdog's pats. */
  stopping(): Promise<void>;
}

/** Longer than any step may take by its own limits: the removal of a home of millions of files. */
const STUCK_MS = 30 * 60_000;

/**
 * Speaks to systemd. The watchdog is patted by a timer, so a blocked event loop is found out, and not
 * while a step of a driver has been under way for longer than any step can take.
 */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { notify, watchdogMs, oldestStepMs, clock, log } = deps;
  let cancel = () => {};
  let stopped = false;

  const tell = async (assignments: readonly string[]): Promise<void> => {
    try {
      await notify?.(assignments);
    } catch (error) {
      log.warn({ err: error, assignments }, 'The notification to systemd failed.');
    }
  };
  const pat = async (everyMs: number): Promise<void> => {
    if (oldestStepMs() < STUCK_MS) await tell(['WATCHDOG=1']);
    else
      log.error(
        { step_ms: oldestStepMs() },
        'A driver step is stuck. The watchdog of systemd may restart the agent.',
      );
    if (!stopped) cancel = clock.after(everyMs, () => void pat(everyMs));
  };

  return {
    async ready() {
      await tell(['READY=1']);
      if (watchdogMs !== undefined && notify !== undefined) await pat(watchdogMs / 4);
    },
    async stopping() {
      stopped = true;
      cancel();
      await tell(['STOPPING=1']);
    },
  };
}
