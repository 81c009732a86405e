import { Resolver } from 'node:dns/promises';
import type { ResolveTxt } from '@innkeeper/services';

/** Timeout per server. Each retry waits twice as long, and a host may have several servers. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Timeout of all tries together: a request waits for the answer. */
const LIMIT_MS = 5_000;

/**
 * Queries the DNS servers of this host, or `servers` (`address:port`). A name without records and servers that do not
 * answer within `limitMs` have the same result: nothing is shown.
 */
export function createResolveTxt({
  servers,
  limitMs = LIMIT_MS,
}: {
  servers?: readonly string[];
  limitMs?: number;
} = {}): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), limitMs);
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch {
      return [];
    } finally {
      clearTimeout(limit);
    }
  };
}
