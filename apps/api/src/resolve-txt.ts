import { Resolver } from 'node:dns/promises';
import type { ResolveTxt } from '@innkeeper/services';

/** Of one server; each further try waits twice as long, and a host may have several servers. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Of all tries: a request waits for the answer. */
const LIMIT_MS = 5_000;

/**
 * Asks the DNS servers of this host, or `servers` (`address:port`). A name without records, and servers that do not
 * answer within `limitMs`, are alike: nothing is shown.
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
