import { hash } from 'node:crypto';
import type { TokenIdentity } from '@innkeeper/services';

export interface TokenCache {
  /** Null for an unknown or revoked token. */
  find(plainToken: string): Promise<TokenIdentity | null>;
  /** Forgets a token at once: the next request with it queries the database. */
  forget(tokenId: number): void;
}

interface Entry {
  identity: Promise<TokenIdentity | null>;
  validUntil: number;
}

const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 10_000;

/**
 * Caches token lookups for 5 s. A revoked token may still work for this time if the broadcast of its revocation is
 * lost. The time starts before the query, so that a slow answer is not valid for longer. Keys are hashes: no plain
 * token is stored. Unknown tokens are not cached.
 */
export function createTokenCache(
  authenticate: (plainToken: string) => Promise<TokenIdentity | null>,
  clock: () => number = performance.now.bind(performance),
): TokenCache {
  const entries = new Map<string, Entry>();

  const load = async (key: string, plainToken: string): Promise<TokenIdentity | null> => {
    try {
      const identity = await authenticate(plainToken);
      if (identity !== null) return identity;
    } catch (error) {
      entries.delete(key);
      throw error;
    }
    entries.delete(key);
    return null;
  };

  return {
    find: (plainToken) => {
      const key = hash('sha256', plainToken, 'base64');
      const known = entries.get(key);
      if (known !== undefined && clock() < known.validUntil) return known.identity;
      entries.delete(key);
      const oldest = entries.keys().next().value;
      if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
      const entry = { validUntil: clock() + LIFETIME_MS, identity: load(key, plainToken) };
      entries.set(key, entry);
      return entry.identity;
    },
    forget: (tokenId) => {
      for (const [key, entry] of entries) {
        void entry.identity.then(
          (identity) => {
            if (identity?.token.id === tokenId && entries.get(key) === entry) entries.delete(key);
          },
          () => {},
        );
      }
    },
  };
}
