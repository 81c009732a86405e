import { Resolver } from 'node:dns/promises';
import { canonicalAddress } from '@innkeeper/domain';
import type { Dns } from '@innkeeper/services';

/** Timeout per server. Each retry waits twice as long, and a host may have several servers. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Timeout of all tries together: a request waits for the answer. */
const LIMIT_MS = 5_000;

/**
 * Queries the DNS servers of this host, or `servers` (`address:port`). For TXT, a name without records and servers that
 * do not answer within `limitMs` have the same result: nothing is shown.
 */
export function createDns({
  servers,
  limitMs = LIMIT_MS,
}: {
  servers?: readonly string[];
  limitMs?: number;
} = {}): Dns {
  /** A new resolver for each question, so that a changed resolv.conf takes effect. */
  const ask = async <T>(question: (resolver: Resolver) => Promise<T>): Promise<T> => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), limitMs);
    try {
      return await question(resolver);
    } finally {
      clearTimeout(limit);
    }
  };
  return {
    resolveTxt: async (name) => {
      const records = await ask((resolver) => resolver.resolveTxt(name)).catch(() => []);
      return records.map((parts) => parts.join(''));
    },
    resolveAddresses: async (name) =>
      await ask(async (resolver) => {
        const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
        const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
        if (found.length === 0 && !answers.every(saysNone)) return undefined;
        return found.flatMap((address) => canonicalAddress(address) ?? []);
      }),
  };
}

/** Whether DNS has answered that there is no such record. */
function saysNone(answer: PromiseSettledResult<unknown>): boolean {
  const { code } = answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException) : {};
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
