import { type AccountLimits, packageLimitsOf } from '@innkeeper/domain';
import type { Condition } from '@innkeeper/protocol';
import {
  changeAccountPackage,
  createDatabase,
  createDomain,
  findCreateFailure,
  getAccount,
  listAccounts,
  type OperatorContext,
  setAccountPassword,
  setAccountResources,
  suspendAccount,
  terminateAccount,
  unsuspendAccount,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, open, reportNewest, rowOf, specOf } from './fixtures.ts';
import {
  fresh,
  insertAppRecord,
  insertUsageRecord,
  limits,
  rowsWhere,
  rowWhere,
  updateRows,
} from './records.ts';
import { expectRefusal, invalid, refusalOf, terminating } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newAccount } = rig;

const get = (account_id: number, ctx: OperatorContext = admin()) =>
  getAccount(ctx, { account_id, include: new Set<never>() });

/** Creates an account that its node has applied. */
async function settled(input: Parameters<typeof open>[1] = { package_id: rig.packageId }): Promise<number> {
  const { accountId } = await open(admin(), input);
  await reportNewest(rig.db, accountId);
  return accountId;
}

const addDomain = (hosting_account_id: number, domain_name = `${fresh('a')}.example`) =>
  createDomain(admin(), { hosting_account_id, domain_name });

async function insertApps(account_id: number, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await insertAppRecord(rig.db, { account_id, name: `App ${i}` });
}

const resources = {
  disk_limit_mb: 700,
  bandwidth_limit_mb: 800,
  cpu_limit_percent: 70,
  ram_limit_mb: 300,
  max_domains: 2,
  max_databases: 1,
  max_apps: 1,
  terminal_access: true,
};

/** Every write to an account but its end. */
const writes: ((ctx: OperatorContext, account_id: number) => Promise<unknown>)[] = [
  (ctx, account_id) => suspendAccount(ctx, { account_id }),
  (ctx, account_id) => unsuspendAccount(ctx, { account_id }),
  (ctx, account_id) => setAccountPassword(ctx, { account_id, password: 'correct horse' }),
  (ctx, account_id) => changeAccountPackage(ctx, { account_id, package_id: rig.packageId }),
  (ctx, account_id) => setAccountResources(ctx, { account_id, ...resources }),
];

describe('suspend and unsuspend', () => {
  test('each raises the generation once, is audited, wakes the node, and is synced after the report', async () => {
    const account_id = await settled();
    const ctx = admin();
    const suspended = await suspendAccount(ctx, { account_id });
    expect(suspended).toMatchObject({ generation: 2, view: { status: 'suspended', synced: false } });
    expect(await specOf(rig.db, account_id)).toMatchObject({
      generation: 2,
      desired_state: 'suspended',
    });
    await reportNewest(rig.db, account_id);
    expect(await get(account_id)).toMatchObject({
      status: 'suspended',
      synced: true,
    });
    expect(await unsuspendAccount(ctx, { account_id })).toMatchObject({
      generation: 3,
      view: { status: 'active' },
    });
    expect(await auditOf(rig.db, account_id)).toEqual([
      'account.create',
      'account.suspend',
      'account.unsuspend',
    ]);
    expect(ctx.wakes.map(({ generation }) => generation)).toEqual([2, 3]);
  });

  test('a call that changes nothing keeps the generation and wakes no node', async () => {
    const account_id = await settled();
    const ctx = admin();
    expect(await unsuspendAccount(ctx, { account_id })).toMatchObject({
      generation: 1,
      view: { synced: true },
    });
    await suspendAccount(ctx, { account_id });
    expect((await suspendAccount(ctx, { account_id })).generation).toBe(2);
    expect(await auditOf(rig.db, account_id)).toEqual(['account.create', 'account.suspend']);
    expect(ctx.wakes).toHaveLength(1);
  });

  test('32 concurrent suspensions raise the generation once', async () => {
    const account_id = await settled();
    const all = await Promise.all(Array.from({ length: 32 }, () => suspendAccount(admin(), { account_id })));
    expect(new Set(all.map(({ generation }) => generation))).toEqual(new Set([2]));
    expect((await rowOf(rig.db, account_id)).generation).toBe(2);
  });

  test('an account is not synced after its node reports a failure', async () => {
    const account_id = await settled();
    await suspendAccount(admin(), { account_id });
    await reportNewest(rig.db, account_id, { outcome: 'failed' });
    expect((await get(account_id)).synced).toBe(false);
  });
});

describe('password', () => {
  test('the hashes of the panel login and of the Linux user change together, and the spec has only the hash', async () => {
    const account_id = await settled();
    const before = await rowOf(rig.db, account_id);
    const hashOf = async () => (await rowWhere(rig.db, 'users', { id: before.user_id })).password_hash;
    const panelHash = await hashOf();
    const password = ' spaces are kept ';
    const { generation } = await setAccountPassword(admin(), { account_id, password });
    expect(generation).toBe(2);
    expect(await hashOf()).not.toBe(panelHash);
    const spec = await specOf(rig.db, account_id);
    expect(spec?.password_hash).not.toBe(before.linux_password_hash);
    expect(JSON.stringify(spec)).not.toContain(password.trim());
  });

  test('a password that Linux cannot use is refused', async () => {
    const account_id = await settled();
    await expectRefusal(
      setAccountPassword(admin(), { account_id, password: 'ü'.repeat(256) }),
      invalid({ password: expect.any(String) }),
    );
  });
});

describe('package', () => {
  test('every limit and the terminal access become those of the target', async () => {
    const account_id = await settled({
      package_id: rig.packageId,
      disk_limit_mb: 4_000,
      terminal_access: false,
    });
    const wanted: AccountLimits = {
      disk_limit_mb: 2_000,
      bandwidth_limit_mb: 3_000,
      cpu_limit_percent: 200,
      ram_limit_mb: 1_024,
      io_read_mbps: 10,
      io_write_mbps: null,
      iops: 200,
      max_processes: null,
      max_domains: 5,
      max_databases: 6,
      max_apps: 7,
      max_cron_jobs: 8,
    };
    const target = await addPackage(rig.db, { ...packageLimitsOf(wanted), terminal_access: true });
    const { view, generation } = await changeAccountPackage(admin(), { account_id, package_id: target });
    expect(generation).toBe(2);
    expect(view).toMatchObject({
      package_id: target,
      package: { id: target, disk_mb: 2_000 },
      ...wanted,
      apps_limit: 7,
      terminal_access: true,
    });
    expect((await specOf(rig.db, account_id)).limits).toMatchObject({ ram_mb: 1_024, iops: 200 });
  });

  test('the same package is refused with a message and no field', async () => {
    const account_id = await settled();
    const refusal = await refusalOf(changeAccountPackage(admin(), { account_id, package_id: rig.packageId }));
    expect(refusal).toMatchObject({
      code: 'invalid',
      message: 'The account is already on this package.',
      fields: undefined,
    });
    expect((await rowOf(rig.db, account_id)).generation).toBe(1);
  });

  test('an unknown package is refused at its field', async () => {
    const account_id = await settled();
    await expectRefusal(
      changeAccountPackage(admin(), { account_id, package_id: 9_999_999 }),
      invalid({ package_id: 'The selected package id is invalid.' }),
    );
  });

  test('the refusal names what exceeds the target, and nothing changes', async () => {
    const account_id = await settled();
    await addDomain(account_id);
    await addDomain(account_id);
    await insertApps(account_id, 1);
    await insertUsageRecord(rig.db, account_id, { disk_used_mb: 150 });
    const target = await addPackage(rig.db, {
      name: fresh('Tiny '),
      disk_mb: 149,
      max_domains: 1,
      max_apps: 0,
    });
    const refusal = await refusalOf(changeAccountPackage(admin(), { account_id, package_id: target }));
    expect(refusal).toMatchObject({ code: 'invalid', fields: undefined });
    expect((refusal as Error).message).toMatch(
      /: 2 domains \(at most 1\), 1 apps \(at most 0\), 150 MiB of disk \(at most 149\)\.$/,
    );
    expect((await rowOf(rig.db, account_id)).package_id).toBe(rig.packageId);
  });
});

describe('a package that is set while domains and databases are added', () => {
  test('is never exceeded', async () => {
    const target = await addPackage(rig.db, { max_domains: 2, max_databases: 2 });
    for (let round = 0; round < 4; round++) {
      const account_id = await settled();
      await Promise.allSettled([
        ...Array.from({ length: 4 }, () => createDatabase(admin(), { hosting_account_id: account_id })),
        changeAccountPackage(admin(), { account_id, package_id: target }),
        ...Array.from({ length: 4 }, () => addDomain(account_id)),
      ]);
      const row = await rowOf(rig.db, account_id);
      for (const [table, most] of [
        ['domains', row.max_domains],
        ['databases', row.max_databases],
      ] as const)
        expect((await rowsWhere(rig.db, table, { account_id })).length).toBeLessThanOrEqual(most);
    }
  });
});

describe('resources', () => {
  test('given limits are set, null is unlimited, omitted limits and the package stay', async () => {
    const account_id = await settled({
      package_id: rig.packageId,
      io_read_mbps: 60,
      iops: 600,
      max_processes: 60,
    });
    const { view, generation } = await setAccountResources(admin(), {
      account_id,
      ...resources,
      io_read_mbps: null,
      io_write_mbps: 5,
    });
    expect(generation).toBe(2);
    expect(view).toMatchObject({
      ...resources,
      package_id: rig.packageId,
      io_read_mbps: null,
      io_write_mbps: 5,
      iops: 600,
      max_processes: 60,
      max_cron_jobs: limits.max_cron_jobs,
    });
    const sibling = await settled();
    expect((await get(sibling)).terminal_access).toBe(false);
  });

  test('a count below the account’s records is refused at its field; a domain that is being removed does not count', async () => {
    const account_id = await settled();
    for (let i = 0; i < 2; i++) await addDomain(account_id);
    await insertApps(account_id, 2);
    await expectRefusal(
      setAccountResources(admin(), { account_id, ...resources, max_domains: 1, max_apps: 1 }),
      invalid({
        max_domains: 'The max domains field must be at least 2.',
        max_apps: 'The max apps field must be at least 2.',
      }),
    );
    await updateRows(rig.db, 'domains', { account_id, is_primary: 0 }, { state: 'removing' });
    const { view } = await setAccountResources(admin(), {
      account_id,
      ...resources,
      max_domains: 1,
      max_apps: 2,
    });
    expect(view.max_domains).toBe(1);
  });
});

describe('embedded records', () => {
  test('apps are always counted, and embedded on request, at most ten', async () => {
    const account_id = await settled();
    await insertApps(account_id, 12);
    const plain = await get(account_id);
    expect(plain).toMatchObject({ apps_count: 12, apps_limit: limits.max_apps });
    expect(plain).not.toHaveProperty('apps');
    const { apps } = await getAccount(admin(), { account_id, include: new Set(['apps'] as const) });
    expect(apps).toHaveLength(10);
    expect(apps?.[0]).toEqual({
      id: expect.any(Number),
      name: 'App 0',
      template_key: 'static',
      template_name: 'Static site',
      status: 'running',
    });
  });

  test('usage is the node’s last measurement, and 0 before the first one', async () => {
    const account_id = await settled();
    const usage = async () =>
      (await getAccount(admin(), { account_id, include: new Set(['usage'] as const) })).usage;
    expect(await usage()).toEqual({
      disk_used_mb: 0,
      disk_limit_mb: limits.disk_limit_mb,
      bandwidth_used_mb: 0,
      bandwidth_limit_mb: limits.bandwidth_limit_mb,
      cpu_used_percent: 0,
      cpu_limit_percent: limits.cpu_limit_percent,
      ram_used_mb: 0,
      ram_limit_mb: limits.ram_limit_mb,
      measured_at: null,
    });
    const measured = { disk_used_mb: 12, bandwidth_used_mb: 34, cpu_used_percent: 56, ram_used_mb: 78 };
    await insertUsageRecord(rig.db, account_id, measured);
    const month = new Date().toISOString().slice(0, 7);
    await rig.db
      .insertInto('bandwidth_monthly')
      .values({ account_id, month, used_mb: measured.bandwidth_used_mb, updated_at: new Date() })
      .execute();
    expect(await usage()).toMatchObject(measured);
  });
});

describe('termination', () => {
  test('the account stays visible, refuses other writes, and is deleted with its name when its node reports it absent', async () => {
    const username = fresh('leaver');
    const account_id = await settled({ package_id: rig.packageId, username });
    const domain = await addDomain(account_id, `${username}.example`);
    const ctx = admin();
    expect(await terminateAccount(ctx, { account_id })).toMatchObject({ view: {}, generation: 3 });
    expect(await terminateAccount(ctx, { account_id })).toMatchObject({ view: {}, generation: 3 });
    expect(ctx.wakes).toHaveLength(1);
    expect((await get(account_id)).status).toBe('terminating');

    for (const write of writes) await expectRefusal(write(ctx, account_id), terminating);
    await expectRefusal(open(ctx, { package_id: rig.packageId, username }), 'invalid');

    expect(await specOf(rig.db, account_id)).toMatchObject({ desired_state: 'absent' });
    await reportNewest(rig.db, account_id, { outcome: 'absent' });
    await expectRefusal(get(account_id), 'not_found');
    for (const table of ['usernames', 'users'] as const)
      expect(await rowsWhere(rig.db, table, { username })).toEqual([]);
    const again = await open(ctx, { package_id: rig.packageId, username });
    expect(again.accountId).toBeGreaterThan(account_id);
    await addDomain(again.accountId, domain.view.domain_name);
  });

  test('a create that the node refuses is undone by its report, and the reason is kept', async () => {
    const account_id = await newAccount();
    const { wake } = await reportNewest(rig.db, account_id, {
      outcome: 'failed',
      conditions: [{ type: 'user', reason: 'Conflict', message: 'A foreign user is in the way.' }],
    });
    expect(wake).toEqual({ account_id, generation: 2 });
    expect(await rowOf(rig.db, account_id)).toMatchObject({ state: 'terminating', generation: 2 });
    expect(await auditOf(rig.db, account_id)).toEqual(['account.create', 'account.create_failed']);
    expect(await findCreateFailure(admin(), { account_id })).toEqual({
      reason: 'A foreign user is in the way.',
      field: 'username',
    });
  });

  const otherCreation: Condition = { type: 'creation', reason: 'Refused', message: 'It is another’s.' };

  test.each([
    ['the node holds another creation', otherCreation],
    ['the node refused the first spec', { ...otherCreation, type: 'spec' }],
  ])('a create is removed immediately, without a termination on the node, when %s', async (_, condition) => {
    const account_id = await newAccount();
    const stored = await reportNewest(rig.db, account_id, {
      outcome: 'failed',
      conditions: [condition],
    });
    expect(stored).toMatchObject({ observed: { account_id, outcome: 'failed' } });
    expect(stored).not.toHaveProperty('wake');
    expect(await rowsWhere(rig.db, 'accounts', { id: account_id })).toEqual([]);
    expect(await auditOf(rig.db, account_id)).toEqual([
      'account.create',
      'account.create_failed',
      'account.removed',
    ]);
    expect(await findCreateFailure(admin(), { account_id })).toMatchObject({ reason: 'It is another’s.' });
  });

  test('the termination of an account deletes only its rows when the node holds another creation', async () => {
    const account_id = await settled();
    await terminateAccount(admin(), { account_id });
    const stored = await reportNewest(rig.db, account_id, {
      outcome: 'failed',
      conditions: [otherCreation],
    });
    expect(stored).not.toHaveProperty('wake');
    expect(await rowsWhere(rig.db, 'accounts', { id: account_id })).toEqual([]);
  });

  test('every creation has its own id', async () => {
    const ids = [];
    for (let made = 0; made < 2; made++) ids.push((await rowOf(rig.db, await newAccount())).creation_id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each([
    ['that it failed', []],
    ['another creation', [otherCreation]],
  ])('an account that was applied once is never undone when its node reports %s', async (_, conditions) => {
    const account_id = await settled();
    await suspendAccount(admin(), { account_id });
    const failed = { outcome: 'failed', conditions } as const;
    expect(await reportNewest(rig.db, account_id, failed)).not.toHaveProperty('wake');
    expect((await rowOf(rig.db, account_id)).state).toBe('suspended');
    expect(await findCreateFailure(admin(), { account_id })).toBeUndefined();
  });

  test('a create is not undone by a failure of an older generation', async () => {
    const account_id = await newAccount();
    await suspendAccount(admin(), { account_id });
    await reportNewest(rig.db, account_id, { outcome: 'failed', observed_generation: 1 });
    expect((await rowOf(rig.db, account_id)).state).toBe('suspended');
  });
});

describe('scope', () => {
  test('every verb answers not_found for an account of another reseller, as for one that does not exist', async () => {
    const owner = await addReseller(rig.db);
    const stranger = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: owner.username });
    const { accountId } = await open(owner, { package_id: own });
    const before = await rowOf(rig.db, accountId);
    for (const account_id of [accountId, 9_999_999]) {
      await expectRefusal(get(account_id, stranger), 'not_found');
      await expectRefusal(terminateAccount(stranger, { account_id }), 'not_found');
      for (const write of writes) await expectRefusal(write(stranger, account_id), 'not_found');
    }
    expect(await rowOf(rig.db, accountId)).toEqual(before);
    expect(await get(accountId, owner)).toMatchObject({
      id: accountId,
    });
    expect(await get(accountId)).toHaveProperty('node');
  });
});

describe('the list', () => {
  test('a reseller sees its own accounts, an admin all, in pages, and a username in any case', async () => {
    const reseller = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: reseller.username });
    const made: number[] = [];
    for (let i = 0; i < 3; i++) made.push((await open(reseller, { package_id: own })).accountId);
    const named = (await open(admin(), { package_id: rig.packageId })).view;

    const first = await listAccounts(reseller, { page: 1, per_page: 2 });
    expect(first).toMatchObject({ page: 1, per_page: 2, total: 3 });
    expect(first.items.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect((await listAccounts(reseller, { page: 2, per_page: 2 })).items.map(({ id }) => id)).toEqual(
      made.slice(2),
    );
    expect(await listAccounts(reseller, { page: 9, per_page: 2 })).toMatchObject({ items: [], total: 3 });

    const byName = { username: named.username.toUpperCase(), page: 1, per_page: 25 };
    expect((await listAccounts(admin(), byName)).items).toEqual([
      {
        id: named.id,
        username: named.username,
        email: named.email,
        status: 'active',
        package: { id: named.package.id, name: named.package.name },
        primary_domain: null,
        created_at: named.created_at,
        node: named.node,
      },
    ]);
    expect((await listAccounts(reseller, byName)).total).toBe(0);
    const all = await listAccounts(admin(), { page: 1, per_page: 100 });
    expect(all.total).toBe(all.items.length);
    expect(all.total).toBeGreaterThan(4);
  });

  test('the primary domain is shown', async () => {
    const account_id = await settled();
    const domain_name = `${fresh('prime')}.example`;
    await addDomain(account_id, domain_name);
    await addDomain(account_id, `www.${domain_name}`);
    const { username } = await rowOf(rig.db, account_id);
    const { items } = await listAccounts(admin(), { username, page: 1, per_page: 25 });
    expect(items.map(({ primary_domain }) => primary_domain)).toEqual([domain_name]);
  });
});
