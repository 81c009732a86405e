import type { Clock } from '../../node/clock.ts';
import type { Log } from '../../node/log.ts';

export interface KeepFirewallDeps {
  /** Loads the table where it is not held as it should be; gives whether it had to. */
  readonly ensure: () => Promise<boolean>;
  /** 1 while the kernel holds the table. */
  readonly gauge: { set(value: number): void };
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error' | 'info'>;
}

/** Looks at the table now and again and again, and says loudly when accounts are not held to it. Gives what ends that. */
export function keepFirewall({ ensure, gauge, everyMs, clock, log }: KeepFirewallDeps): () => void {
  let isStopped = false;
  let wasHeld = false;
  let cancel = () => {};
  const look = async () => {
    try {
      const hadToLoad = await ensure();
      if (hadToLoad && wasHeld)
        log.warn('The firewall of accounts was changed or removed. The agent restored it.');
      wasHeld = true;
      gauge.set(1);
    } catch (error) {
      gauge.set(0);
      log.error(
        { err: error },
        'The firewall of accounts is not loaded: accounts can reach cloud metadata, the control plane and port 25.',
      );
    }
    if (!isStopped) cancel = clock.after(everyMs, () => void look());
  };
  void look();
  return () => {
    isStopped = true;
    cancel();
  };
}
