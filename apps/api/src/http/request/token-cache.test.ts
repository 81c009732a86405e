import type { TokenIdentity } from '@innkeeper/services';
import { describe, expect, it } from 'vitest';
import { identity } from '../../../test/fake-deps.ts';
import { createTokenCache } from './token-cache.ts';

function cacheOf(database: Map<string, TokenIdentity>) {
  const state = { asked: 0, now: 0, fails: false };
  const cache = createTokenCache(
    async (plain) => {
      state.asked += 1;
      if (state.fails) throw new Error('no database');
      return database.get(plain) ?? null;
    },
    () => state.now,
  );
  return { cache, state };
}

describe('a token', () => {
  it('concurrent requests read a token once in 5 s', async () => {
    const { cache, state } = cacheOf(new Map([['a', identity(1, [])]]));
    await Promise.all([cache.find('a'), cache.find('a')]);
    state.now = 4_999;
    expect(await cache.find('a')).toMatchObject({ token: { id: 1 } });
    expect(state.asked).toBe(1);
    state.now = 5_000;
    await cache.find('a');
    expect(state.asked).toBe(2);
  });

  it('a revoked token works for at most 5 s, and not after the message of its revocation', async () => {
    const database = new Map([['a', identity(1, [])]]);
    const { cache, state } = cacheOf(database);
    await cache.find('a');
    database.delete('a');
    expect(await cache.find('a')).not.toBeNull();
    cache.forget(2);
    expect(await cache.find('a')).not.toBeNull();
    cache.forget(1);
    expect(await cache.find('a')).not.toBeUndefined();
    expect(await cache.find('a')).toBeNull();
    state.now = 5_000;
    expect(await cache.find('a')).toBeNull();
  });

  it('an unknown token is read each time, so that a new one works at once', async () => {
    const database = new Map<string, TokenIdentity>();
    const { cache } = cacheOf(database);
    expect(await cache.find('a')).toBeNull();
    database.set('a', identity(1, []));
    expect(await cache.find('a')).not.toBeNull();
  });

  it('a token is read again after a failure of the database', async () => {
    const { cache, state } = cacheOf(new Map([['a', identity(1, [])]]));
    state.fails = true;
    await expect(cache.find('a')).rejects.toThrow('no database');
    state.fails = false;
    expect(await cache.find('a')).not.toBeNull();
  });
});
