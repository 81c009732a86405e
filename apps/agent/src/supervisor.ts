import type { Clock } from './node/clock.ts';
import type { Log } from './node/log.ts';

export interface SupervisorDeps {
  /** Sends a message to systemd with sd_notify(3). Undefined when no supervisor listens. */
  notify: ((assignments: readonly string[]) => Promise<unknown>) | undefined;
  /** Timeout of the watchdog, in ms. Undefined without a watchdog. */
  watchdogMs: number | undefined;
  /** Age of the oldest running driver step, in ms. */
  oldestStepMs: () => number;
  clock: Clock;
  log: Log;
}

export interface Supervisor {
  ready(): Promise<void>;
  /** Stops the watchdog messages. */
  stopping(): Promise<void>;
}

/** Longer than the timeout of any step. The longest step removes a home with millions of files. */
const STUCK_MS = 30 * 60_000;

/**
 * Sends notifications to systemd. A timer sends the watchdog message, so systemd notices a blocked event loop. The
 * timer sends nothing while a driver step runs longer than any step can take, so systemd notices a stuck step too.
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
