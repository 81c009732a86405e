import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Changes } from '../../node/changes.ts';
import { ownerNamed } from '../../node/owner.ts';
import { AuthorityError } from './authority.ts';
import { renewalTime } from './certificate-record.ts';
import { CertificateStore } from './certificate-store.ts';
import { FakeAuthority } from './fake-authority.ts';
import { NameNotHere } from './name-check.ts';
import { NodeCertificates } from './node-certificates.ts';
import type { NewOrder } from './order-budget.ts';

const DAY_MS = 24 * 3_600_000;
const owner = ownerNamed('demo', 20_000);
const wanted = { domainId: 7, name: 'demo.example.com', withAlias: true, revision: 1 };

let folder: string;
let authority: FakeAuthority;
let now: number;
/** Files that nginx could read, by key. */
let placed: Map<string, string>;
let elsewhere: Set<string>;
let sites: Set<string>;
let served: string | undefined;
let ended: number[];
let defects: unknown[];
let spent: NewOrder[];
let budgetIsUsedUp: boolean;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'innkeeper-certificates-'));
  authority = new FakeAuthority();
  now = Date.parse('2026-06-01T12:00:00Z');
  authority.now = () => now;
  placed = new Map();
  elsewhere = new Set();
  sites = new Set();
  ended = [];
  defects = [];
  spent = [];
  budgetIsUsedUp = false;
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Creates the certificates as an agent does at its start. */
function start(): NodeCertificates {
  return new NodeCertificates({
    store: new CertificateStore(folder, new Changes()),
    challenges: { write: async () => {}, remove: async () => {} },
    files: {
      areRight: async (key) => placed.has(key),
      place: async (key, { chain }) => void placed.set(key, chain),
      remove: async (key) => void placed.delete(key),
      of: async () => [],
    },
    authority,
    names: {
      check: async (name) => {
        if (elsewhere.has(name)) throw new NameNotHere(`${name} is elsewhere.`);
      },
    },
    budget: {
      take: async (order) => {
        if (budgetIsUsedUp) throw new AuthorityError('used up', { refused: false, waitMs: DAY_MS });
        spent.push(order);
      },
    },
    isSite: (name) => sites.has(name),
    onEnded: (uid) => ended.push(uid),
    onDefect: (error) => defects.push(error),
    now: () => now,
    random: () => 0.5,
    pause: async () => {},
    served: async () => served,
  });
}

const stored = () => JSON.parse(readFileSync(path.join(folder, '20000-7.json'), 'utf8'));

/** Returns what exists for the domain. */
async function look(certificates: NodeCertificates) {
  const [domain] = await certificates.observe(owner);
  return domain!;
}

async function issue(certificates: NodeCertificates, revision = 1): Promise<string> {
  await certificates.order(owner, { ...wanted, revision });
  await certificates.idle();
  return (await look(certificates)).held.at(-1)!.key;
}

test('offers a certificate to nginx once its files exist, also after a restart', async () => {
  const certificates = start();
  const key = await issue(certificates);
  expect(ended).toEqual([owner.uid]);
  expect(certificates.current(owner, wanted.name).certificate).toBeNull();
  await certificates.place(owner, 7, key);
  for (const agent of [certificates, start()])
    expect(agent.current(owner, wanted.name)).toEqual({ certificate: key, aliasCertificate: key });
  expect(certificates.current(ownerNamed('other', 20_001), wanted.name).certificate).toBeNull();
});

test('the previous certificate serves until the new one is placed, and is kept until nginx uses it', async () => {
  const certificates = start();
  const first = await issue(certificates);
  await certificates.place(owner, 7, first);
  served = stored().held[0].fingerprint;
  await certificates.retirePrevious(owner, 7);
  const second = await issue(certificates, 2);
  expect(certificates.current(owner, wanted.name).certificate).toBe(first);
  await certificates.place(owner, 7, second);
  expect(certificates.current(owner, wanted.name).certificate).toBe(second);
  await expect(certificates.retirePrevious(owner, 7)).rejects.toThrow('does not show the new certificate');
  expect([...placed.keys()]).toEqual([first, second]);
  served = stored().held[1].fingerprint;
  await certificates.retirePrevious(owner, 7);
  expect([...placed.keys()]).toEqual([second]);
  expect(readdirSync(folder).toSorted()).toEqual([`${second}.pem`, '20000-7.json'].toSorted());
});

test('leaves out www when it is a site of its own', async () => {
  sites.add('www.demo.example.com');
  const certificates = start();
  await certificates.place(owner, 7, await issue(certificates));
  expect(certificates.current(owner, wanted.name).aliasCertificate).toBeNull();
});

test('keeps the authority’s error and requested pause over a restart', async () => {
  authority.refusals.set(
    'createOrder',
    new AuthorityError('too many certificates', { refused: true, waitMs: DAY_MS }),
  );
  const certificates = start();
  await certificates.order(owner, wanted);
  await certificates.idle();
  for (const agent of [certificates, start()]) {
    const { failure, ordering, orderableAt } = await look(agent);
    expect(failure).toEqual({ revision: 1, error: 'too many certificates', mustWait: true });
    expect(ordering).toBe(false);
    expect(orderableAt(2)).toBe(now + DAY_MS);
  }
  now += DAY_MS;
  authority.refusals.clear();
  await issue(certificates);
  expect((await look(certificates)).failure).toBeUndefined();
});

test('the next agent continues an order; a forgotten order stops and leaves nothing', async () => {
  const away = new AuthorityError('away', { refused: false });
  authority.refusals.set('chain', away);
  const certificates = start();
  await certificates.order(owner, wanted);
  await certificates.idle();
  authority.refusals.clear();
  const next = start();
  await issue(next);
  expect(authority.calls.filter((method) => method === 'createOrder')).toHaveLength(1);

  authority.createOrder = () => new Promise(() => {});
  await next.order(owner, { ...wanted, revision: 2 });
  expect((await look(next)).ordering).toBe(true);
  await next.forget(owner, 7);
  expect(await next.observe(owner)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('renews at two thirds of the lifetime, with jitter', async () => {
  const held = { not_before: 0, not_after: 90 * DAY_MS } as never as Parameters<typeof renewalTime>[0];
  const times = Array.from({ length: 200 }, (_, at) => renewalTime({ ...held, key: `20000-${at}-a` }));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(60 * DAY_MS);
  expect(Math.max(...times)).toBeLessThanOrEqual(63 * DAY_MS);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2 * DAY_MS);
});

test('quarantines an invalid record and keeps its keys', async () => {
  const certificates = start();
  const key = await issue(certificates);
  writeFileSync(path.join(folder, '20000-7.json'), '{"uid": 0}');
  expect(await start().observe(owner)).toEqual([]);
  expect(readdirSync(folder).toSorted()).toEqual([`${key}.pem`, '20000-7.json.unreadable'].toSorted());
});

test('an unexpected error is a defect, a refusal is not', async () => {
  const certificates = start();
  authority.createOrder = async () => {
    throw new AuthorityError('An unforeseen error of the authority.', { refused: true });
  };
  await certificates.order(owner, wanted);
  await certificates.idle();
  expect(defects).toEqual([]);
  const defect = new TypeError('x is not a function');
  authority.createOrder = async () => {
    throw defect;
  };
  await certificates.order(owner, { ...wanted, revision: 2 });
  await certificates.idle();
  expect(defects).toEqual([defect]);
});

test('an order that exceeds the budget waits, whatever is requested', async () => {
  const certificates = start();
  budgetIsUsedUp = true;
  await certificates.order(owner, wanted);
  await certificates.idle();
  expect(authority.orders.size).toBe(0);
  const { failure, orderableAt } = await look(certificates);
  expect(failure).toMatchObject({ error: 'used up', mustWait: true });
  expect([orderableAt(1), orderableAt(2)]).toEqual([now + DAY_MS, now + DAY_MS]);
});

test('an order for a revision with a certificate is a renewal and uses the reserve', async () => {
  const certificates = start();
  await issue(certificates, 1);
  await issue(certificates, 2);
  await issue(certificates, 2);
  expect(spent.map(({ isRenewal }) => isRenewal)).toEqual([false, false, true]);
});

test('repeated requests shorten the wait after a refusal only once an hour', async () => {
  const certificates = start();
  authority.createOrder = async () => {
    throw new AuthorityError('Policy forbids it.', { refused: true });
  };
  for (const revision of [1, 2]) {
    await certificates.order(owner, { ...wanted, revision });
    await certificates.idle();
  }
  const { orderableAt } = await look(certificates);
  expect(orderableAt(3)).toBeGreaterThan(now);
});
