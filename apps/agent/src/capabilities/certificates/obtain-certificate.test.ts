import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Authority, AuthorityError } from './authority.ts';
import type { OrderRecord } from './certificate-record.ts';
import { FakeAuthority } from './fake-authority.ts';
import { NameNotHere } from './name-check.ts';
import { type ObtainDeps, obtainCertificate } from './obtain-certificate.ts';

const wish = { name: 'demo.example.com', alias: 'www.demo.example.com', revision: 1 };

/** The state that survives an agent: the stored order, and the challenge files. */
class Node {
  kept: OrderRecord | null = null;
  readonly tokens = new Set<string>();
  readonly elsewhere = new Set<string>();
  readonly end = new AbortController();
  /** Counts all steps. At this number, the agent is killed. */
  killAt = Number.POSITIVE_INFINITY;
  #steps = 0;

  obtain(authority: Authority) {
    const step = async () => {
      this.#steps += 1;
      if (this.#steps >= this.killAt) throw new Error('killed');
    };
    const deps: ObtainDeps = {
      authority: new Proxy(authority, {
        get:
          (target, method: keyof Authority) =>
          async (...args: never[]) => {
            await step();
            const answer = await (target[method] as (...given: never[]) => unknown).apply(target, args);
            await step();
            return answer;
          },
      }),
      names: {
        check: async (name) => {
          if (this.elsewhere.has(name)) throw new NameNotHere(`${name} is elsewhere.`);
        },
      },
      challenges: {
        write: async (token) => {
          await step();
          this.tokens.add(token);
        },
        remove: async (token) => void this.tokens.delete(token),
      },
      keep: async (order) => {
        await step();
        this.kept = order;
        await step();
      },
      spend: async () => {},
      pause: async () => {},
      signal: this.end.signal,
    };
    return obtainCertificate(wish, this.kept, deps);
  }
}

test('the certificate has both names if both resolve here, and the tokens are removed', async () => {
  const node = new Node();
  const { names, chain, privateKey } = await node.obtain(new FakeAuthority());
  expect(names).toEqual(['demo.example.com', 'www.demo.example.com']);
  expect(new X509Certificate(chain).subjectAltName).toBe('DNS:demo.example.com, DNS:www.demo.example.com');
  expect(privateKey).toContain('PRIVATE KEY');
  expect(node.tokens.size).toBe(0);
});

test('leaves out a www that resolves elsewhere; such a bare name fails before the authority is contacted', async () => {
  const node = new Node();
  const authority = new FakeAuthority();
  node.elsewhere.add('www.demo.example.com');
  expect((await node.obtain(authority)).names).toEqual(['demo.example.com']);
  authority.calls.length = 0;
  node.elsewhere.add('demo.example.com');
  await expect(node.obtain(authority)).rejects.toThrow('demo.example.com is elsewhere.');
  expect(authority.calls).toEqual([]);
});

test('after a kill at any step, the next attempt succeeds, with one order once it is stored', async () => {
  let kills = 0;
  for (let killAt = 1; ; killAt += 1) {
    const authority = new FakeAuthority();
    const node = new Node();
    node.killAt = killAt;
    const killed = await node.obtain(authority).then(
      () => false,
      () => true,
    );
    if (!killed) break;
    kills += 1;
    node.killAt = Number.POSITIVE_INFINITY;
    const kept = node.kept;
    const { chain, privateKey } = await node.obtain(authority);
    expect(new X509Certificate(chain).checkHost('www.demo.example.com')).toBeDefined();
    if (kept === null) continue;
    expect(authority.calls.filter((method) => method === 'createOrder')).toHaveLength(1);
    expect(authority.calls.filter((method) => method === 'finalize').length).toBeLessThanOrEqual(1);
    expect(privateKey).toBe(kept.private_key);
  }
  expect(kills).toBeGreaterThan(10);
});

test('creates a new order if the stored one was refused meanwhile', async () => {
  const authority = new FakeAuthority();
  const node = new Node();
  node.killAt = 5;
  await expect(node.obtain(authority)).rejects.toThrow('killed');
  expect(node.kept).not.toBeNull();
  node.killAt = Number.POSITIVE_INFINITY;
  let refused = false;
  const impatient = new Proxy(authority, {
    get: (target, method: keyof Authority) => {
      if (method !== 'findOrder' || refused) return target[method].bind(target);
      return async () => {
        refused = true;
        throw new AuthorityError('nobody was there', { refused: true });
      };
    },
  });
  await node.obtain(impatient);
  expect(authority.orders.size).toBe(2);
});

test('rejects a certificate for another key or name', async () => {
  const other = new FakeAuthority();
  const foreign = await new Node().obtain(other);
  const authority = new FakeAuthority();
  authority.chain = async () => foreign.chain;
  await expect(new Node().obtain(authority)).rejects.toThrow('belongs to another key');
  const forgetful = new FakeAuthority();
  const { finalize } = forgetful;
  forgetful.finalize = (order, names, key) => finalize.call(forgetful, order, names.slice(0, 1), key);
  await expect(new Node().obtain(forgetful)).rejects.toThrow('does not hold for www.demo.example.com');
});

test('an abort ends any wait at once and removes the tokens', async () => {
  const node = new Node();
  const authority = new FakeAuthority();
  authority.ready = () => {
    node.end.abort();
    return new Promise(() => {});
  };
  await expect(node.obtain(authority)).rejects.toThrow('aborted');
  expect(node.tokens.size).toBe(0);
});

test('gives up on an authority that never decides', async () => {
  const authority = new FakeAuthority();
  authority.ready = async () => {};
  await expect(new Node().obtain(authority)).rejects.toThrow('did not finish the order within 10 minutes');
});
