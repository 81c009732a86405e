import type { Clock } from '../../node/clock.ts';
import type { Log } from '../../node/log.ts';

export interface KeepFirewallDeps {
  /** Loads the table if it is missing or changed. Returns whether it was. */
  readonly ensure: () => Promise<boolean>;
  /** 1 while the kernel has the table. */
  readonly gauge: { set(value: number): void };
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error' | 'info'>;
}

/**
 * Checks the table now and then periodically, and logs an error when the firewall is not enforced. Returns a function
 * that stops the checks.
 */
export function keepFirewall({ ensure, gauge, everyMs, clock, log }: KeepFirewallDeps): () => void {
  let isStopped = false;
  let wasLoaded = false;
  let cancel = () => {};
  const check = async () => {
    try {
      const hadToLoad = await ensure();
      if (hadToLoad && wasLoaded)
        log.warn('The firewall of accounts was changed or removed. The agent restored it.');
      wasLoaded = true;
      gauge.set(1);
    } catch (error) {
      gauge.set(0);
      log.error(
        { err: error },
        'The firewall of accounts is not loaded: accounts can reach cloud metadata, the control plane and port 25.',
      );
    }
    if (!isStopped) cancel = clock.after(everyMs, () => void check());
  };
  void check();
  return () => {
    isStopped = true;
    cancel();
  };
}
