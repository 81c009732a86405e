import { DomainError } from '@innkeeper/domain';
import { networkOfPeer } from './peer-network.ts';

const WINDOW_MS = 60_000;
const MOST_FAILURES = 20;
/** So that strangers with many addresses cost no more memory than this; the oldest window is forgotten. */
const MOST_ADDRESSES = 10_000;

/** Limits the tries of addresses that present no valid join token. */
export interface EnrollAttempts {
  /** Runs a try. Throws DomainError `quota_exceeded`, without running it, after 20 refused ones in a minute. */
  run<T>(peer: string, attempt: () => Promise<T>): Promise<T>;
}

/** `peer`: address and port, as gRPC names them. Of IPv6 a network of 64 bits counts as one address. */
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
