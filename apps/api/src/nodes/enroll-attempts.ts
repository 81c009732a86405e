import { DomainError } from '@innkeeper/domain';
import { networkOfPeer } from './peer-network.ts';

const WINDOW_MS = 60_000;
const MOST_FAILURES = 20;
/** Limits the memory that untrusted clients with many addresses can use. The oldest window is forgotten. */
const MOST_ADDRESSES = 10_000;

/** Limits enrolment attempts of addresses without a valid join token. */
export interface EnrollAttempts {
  /**
   * Runs an attempt. After 20 refused attempts within a minute it throws DomainError `quota_exceeded` without running
   * it.
   */
  run<T>(peer: string, attempt: () => Promise<T>): Promise<T>;
}

/** `peer`: address and port in the format of gRPC. A /64 network of IPv6 counts as one address. */
export function createEnrollAttempts(now: () => number = Date.now): EnrollAttempts {
  const windows = new Map<string, { endsAt: number; failures: number }>();

  const currentWindow = (address: string) => {
    const known = windows.get(address);
    if (known !== undefined && known.endsAt > now()) return known;
    windows.delete(address);
    const fresh = { endsAt: now() + WINDOW_MS, failures: 0 };
    const [oldest] = windows.keys();
    if (windows.size >= MOST_ADDRESSES && oldest !== undefined) windows.delete(oldest);
    windows.set(address, fresh);
    return fresh;
  };

  return {
    run: async (peer, attempt) => {
      const address = addressOf(peer);
      const window = currentWindow(address);
      if (window.failures >= MOST_FAILURES)
        throw new DomainError(
          'quota_exceeded',
          `Too many join tokens from this address were refused. Try again in ${Math.ceil((window.endsAt - now()) / 1_000)} seconds.`,
        );
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof DomainError && error.code === 'forbidden') window.failures += 1;
        throw error;
      }
    },
  };
}

function addressOf(peer: string): string {
  return networkOfPeer(peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
}
