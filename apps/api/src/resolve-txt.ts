import { Resolver } from 'node:dns/promises';
import type { ResolveTxt } from '@innkeeper/services';

const TIMEOUT_MS = 1_500;
const TRIES = 2;

/** Asks the DNS servers of this host. A name without records, and servers that do not answer, are alike: nothing is shown. */
export function createResolveTxt(): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch {
      return [];
    }
  };
}
