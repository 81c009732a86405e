import {
  checkDns,
  createDomain,
  getDnsState,
  getDomain,
  installSsl,
  listAudit,
  lookAtDns,
  pauseOf,
  removeDomain,
  suspendAccount,
} from '@innkeeper/services';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, rowOf, specOf } from './fixtures.ts';
import { fresh } from './records.ts';
import { expectRefusal } from './refusals.ts';

const rig = useDatabaseRig({ max_domains: 100 });
const { admin, newAccount } = rig;
/** Fake DNS. Undefined for a name: no server answers. */
const addresses = new Map<string, string[] | undefined>();
const asked: string[] = [];
let accountId: number;
let domain_name: string;
let domain_id: number;
let server: string;

beforeEach(async () => {
  await rig.db.updateTable('domains').set({ dns_next_look_at: null }).execute();
  addresses.clear();
  asked.length = 0;
  accountId = await newAccount();
  ({ id: domain_id, domain_name } = await add());
  server = (await rig.db.selectFrom('nodes').select('address').executeTakeFirstOrThrow()).address;
});

async function add(hosting_account_id = accountId) {
  const name = `${fresh('look')}.example`;
  addresses.set(name, []);
  return (await createDomain(admin(), { hosting_account_id, domain_name: name })).view;
}

/** The control plane's own context, as `startDnsLooks` makes it. */
const system = () => {
  const ctx = admin();
  const resolveAddresses = async (name: string) => {
    asked.push(name);
    return addresses.get(name);
  };
  return Object.assign(ctx, {
    actor: { ...ctx.actor, address: 'dns-look' },
    names: { ...ctx.names, resolveAddresses },
  });
};
const look = (limit = 100) => lookAtDns(system(), { limit });
const stateOf = (id = domain_id) => getDnsState(admin(), { domain_id: id });
const makeDue = (id = domain_id) =>
  rig.db
    .updateTable('domains')
    .set({ dns_next_look_at: new Date(Date.now() - 60_000) })
    .where('id', '=', id)
    .execute();
const sslOf = async () => (await getDomain(admin(), { domain_id })).ssl.status;
const pauseNow = async () => Math.round(((await stateOf()).next_look_at!.getTime() - Date.now()) / 1_000);

describe('a domain whose DNS leads to its server', () => {
  test('gets a certificate by itself, once, with its own audit entry and a wake', async () => {
    addresses.set(domain_name, ['198.51.100.7', server]);
    const ctx = system();
    expect(await lookAtDns(ctx, { limit: 100 })).toBe(1);
    expect(await sslOf()).toBe('pending');
    expect((await specOf(rig.db, accountId)).domains[0]).toMatchObject({ certificate_revision: 1 });
    const { generation } = await rowOf(rig.db, accountId);
    expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId, generation }]);
    const [entry] = (await listAudit(admin(), { account_id: accountId, limit: 1 })).items;
    expect(entry).toMatchObject({ action: 'domain.auto-ssl', target: `domain:${domain_id}`, user: null });
    expect(await stateOf()).toMatchObject({ next_look_at: null, error: null });
    expect(await look()).toBe(0);
  });

  test('is checked by only one of several instances', async () => {
    const more = await Promise.all(Array.from({ length: 7 }, () => add()));
    for (const view of more) addresses.set(view.domain_name, [server]);
    addresses.set(domain_name, [server]);
    const counts = await Promise.all(Array.from({ length: 5 }, () => look()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8);
    expect(asked.toSorted()).toEqual([domain_name, ...more.map((view) => view.domain_name)].toSorted());
    expect((await rowOf(rig.db, accountId)).generation).toBe(1 + 8 + 8);
  });

  test('stays within the limit of requests a day, reports it, and is retried later', async () => {
    addresses.set(domain_name, [server]);
    const bucket = {
      bucket: `ssl-account:${accountId}`,
      hits: 20,
      resets_at: (Date.now() + 3_600_000) as never,
    };
    await rig.db.insertInto('rate_limits').values(bucket).execute();
    await look();
    expect(await sslOf()).toBe('none');
    const { error } = await stateOf();
    expect(error).toContain('Certificate limit reached: 20 requests for this account in 24 hours.');
    expect(await pauseNow()).toBeGreaterThan(30);
  });
});

describe('a domain whose DNS leads to another server', () => {
  test('is checked again after pauses that double, without a change for its server', async () => {
    addresses.set(domain_name, ['198.51.100.7', '2001:db8::7']);
    const { generation } = await rowOf(rig.db, accountId);
    const { updated_at } = await getDomain(admin(), { domain_id });
    for (const pause of [60, 120, 240]) {
      await look();
      expect(Math.abs((await pauseNow()) - pause)).toBeLessThan(10);
      expect(await look(), 'not due').toBe(0);
      await makeDue();
    }
    expect(await stateOf()).toMatchObject({ found: ['198.51.100.7', '2001:db8::7'], error: null });
    expect((await rowOf(rig.db, accountId)).generation).toBe(generation);
    expect((await getDomain(admin(), { domain_id })).updated_at).toEqual(updated_at);
    expect([0, 8, 9, 1_000].map(pauseOf)).toEqual([60, 15_360, 21_600, 21_600]);
  });

  test('shows whether DNS has no addresses or no DNS server answered', async () => {
    await look();
    expect(await stateOf()).toMatchObject({ found: [], error: null });
    addresses.set(domain_name, undefined);
    await makeDue();
    await look();
    expect(await stateOf()).toMatchObject({ found: null, error: 'No DNS server answered.' });
  });

  test('is checked when its owner asks, and then again within a minute', async () => {
    for (let looks = 0; looks < 4; looks += 1) {
      await makeDue();
      await look();
    }
    expect(await pauseNow()).toBeGreaterThan(300);
    expect(await checkDns(system(), { domain_id })).toMatchObject({ found: [] });
    expect(await pauseNow()).toBeLessThan(70);
    addresses.set(domain_name, [server]);
    await checkDns(system(), { domain_id });
    expect(await sslOf()).toBe('pending');
    const stranger = Object.assign(system(), { actor: (await addReseller(rig.db)).actor });
    await expectRefusal(checkDns(stranger, { domain_id }), 'not_found');
    await expectRefusal(getDnsState(stranger, { domain_id }), 'not_found');
  });
});

test('a domain with a requested certificate and one that is being removed are not checked', async () => {
  await installSsl(admin(), { domain_id });
  const other = await add();
  await removeDomain(admin(), { domain_id: other.id });
  expect(await look()).toBe(2);
  expect(asked).toEqual([]);
  expect(await look()).toBe(0);
});

test('a domain of a suspended account is checked again later', async () => {
  addresses.set(domain_name, [server]);
  await suspendAccount(admin(), { account_id: accountId });
  await look();
  expect([asked, await sslOf()]).toEqual([[], 'none']);
  expect((await stateOf()).next_look_at).not.toBeNull();
});

test('one run checks at most the given number of domains, longest due first', async () => {
  const second = await add();
  await makeDue(second.id);
  expect(await look(1)).toBe(1);
  expect(asked).toEqual([second.domain_name]);
});
