import { isIPv6 } from 'node:net';
import { DomainError } from '@innkeeper/domain';

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
  const address = peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return isIPv6(address) ? networkOf(address) : address;
}

/** The first 64 bits, as text. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
