import {
  changeAccountPackage,
  createDatabase,
  createDomain,
  findCreateFailure,
  getAccount,
  listAccounts,
  setAccountPassword,
  setAccountResources,
  storeReport,
  suspendAccount,
  terminateAccount,
  unsuspendAccount,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import {
  addPackage,
  addReseller,
  auditOf,
  fresh,
  open,
  reportNewest,
  rowOf,
  session_id,
  specOf,
} from './fixtures.ts';
import { limits, refusalOf } from './records.ts';

const rig = useDatabaseRig();
const { admin } = rig;

const nothing = new Set<never>();

/** Creates an account that its node has applied. */
async function settled(input: Parameters<typeof open>[1] = { package_id: rig.packageId }): Promise<number> {
  const { accountId } = await open(admin(), input);
  await reportNewest(rig.db, accountId);
  return accountId;
}

async function insertApps(account_id: number, count: number): Promise<void> {
  const now = new Date();
  for (let i = 0; i < count; i++)
    await rig.db
      .insertInto('apps')
      .values({
        account_id,
        name: `App ${i}`,
        template_key: 'static',
        status: 'running',
        created_at: now,
        updated_at: now,
      })
      .execute();
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

describe('suspend and unsuspend', () => {
  test('each raises the generation once, is audited, wakes the node, and is synced when it reports', async () => {
    const account_id = await settled();
    const ctx = admin();
    const suspended = await suspendAccount(ctx, { account_id });
    expect(suspended).toMatchObject({ generation: 2, view: { status: 'suspended', synced: false } });
    expect(await specOf(rig.db, account_id)).toMatchObject({
      generation: 2,
      desired_state: 'suspended',
    });
    await reportNewest(rig.db, account_id);
    expect(await getAccount(ctx, { account_id, include: nothing })).toMatchObject({
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

  test('what is so already changes nothing and wakes nobody', async () => {
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

  test('32 suspensions at once raise the generation once', async () => {
    const account_id = await settled();
    const all = await Promise.all(Array.from({ length: 32 }, () => suspendAccount(admin(), { account_id })));
    expect(new Set(all.map(({ generation }) => generation))).toEqual(new Set([2]));
    expect((await rowOf(rig.db, account_id)).generation).toBe(2);
  });

  test('an account whose node failed at it is not synced', async () => {
    const account_id = await settled();
    await suspendAccount(admin(), { account_id });
    await reportNewest(rig.db, account_id, { outcome: 'failed' });
    expect((await getAccount(admin(), { account_id, include: nothing })).synced).toBe(false);
  });
});

describe('password', () => {
  test('the panel’s and the Linux user’s hash change together, and only the hash travels', async () => {
    const account_id = await settled();
    const before = await rowOf(rig.db, account_id);
    const hashOf = async () =>
      (
        await rig.db
          .selectFrom('users')
          .select('password_hash')
          .where('id', '=', before.user_id)
          .executeTakeFirstOrThrow()
      ).password_hash;
    const panelHash = await hashOf();
    const password = ' spaces are kept ';
    const { generation } = await setAccountPassword(admin(), { account_id, password });
    expect(generation).toBe(2);
    expect(await hashOf()).not.toBe(panelHash);
    const spec = await specOf(rig.db, account_id);
    expect(spec?.password_hash).not.toBe(before.linux_password_hash);
    expect(JSON.stringify(spec)).not.toContain(password.trim());
  });

  test('one that Linux would never take is refused', async () => {
    const account_id = await settled();
    expect(
      await refusalOf(setAccountPassword(admin(), { account_id, password: 'ü'.repeat(256) })),
    ).toMatchObject({ fields: { password: [expect.any(String)] } });
  });
});

describe('package', () => {
  test('every limit and the terminal become the target’s', async () => {
    const account_id = await settled({
      package_id: rig.packageId,
      disk_limit_mb: 4_000,
      terminal_access: false,
    });
    const target = await addPackage(rig.db, {
      disk_mb: 2_000,
      bandwidth_mb: 3_000,
      cpu_percent: 200,
      ram_mb: 1_024,
      io_read_mbps: 10,
      io_write_mbps: null,
      iops: 200,
      max_processes: null,
      max_domains: 5,
      max_databases: 6,
      max_apps: 7,
      max_cron_jobs: 8,
      terminal_access: true,
    });
    const { view, generation } = await changeAccountPackage(admin(), { account_id, package_id: target });
    expect(generation).toBe(2);
    expect(view).toMatchObject({
      package_id: target,
      package: { id: target, disk_mb: 2_000 },
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
      apps_limit: 7,
      max_cron_jobs: 8,
      terminal_access: true,
    });
    expect((await specOf(rig.db, account_id))?.limits).toMatchObject({ ram_mb: 1_024, iops: 200 });
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

  test('an unknown package is refused on its field', async () => {
    const account_id = await settled();
    expect(
      await refusalOf(changeAccountPackage(admin(), { account_id, package_id: 9_999_999 })),
    ).toMatchObject({ fields: { package_id: ['The selected package id is invalid.'] } });
  });

  test('what exceeds the target is named, and nothing changes', async () => {
    const account_id = await settled();
    await createDomain(admin(), { hosting_account_id: account_id, domain_name: `${fresh('a')}.example` });
    await createDomain(admin(), { hosting_account_id: account_id, domain_name: `${fresh('a')}.example` });
    await insertApps(account_id, 1);
    await rig.db
      .insertInto('usage_snapshots')
      .values({
        account_id,
        disk_used_mb: 150,
        bandwidth_used_mb: 1,
        cpu_used_percent: 1,
        ram_used_mb: 1,
        taken_at: new Date(),
      })
      .execute();
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

describe('a package that is set while others add to the account', () => {
  test('is never exceeded: of domains and databases', async () => {
    const target = await addPackage(rig.db, { max_domains: 2, max_databases: 2 });
    for (let round = 0; round < 4; round++) {
      const account_id = await settled();
      await Promise.allSettled([
        ...Array.from({ length: 4 }, () => createDatabase(admin(), { hosting_account_id: account_id })),
        changeAccountPackage(admin(), { account_id, package_id: target }),
        ...Array.from({ length: 4 }, () =>
          createDomain(admin(), { hosting_account_id: account_id, domain_name: `${fresh('a')}.example` }),
        ),
      ]);
      const row = await rowOf(rig.db, account_id);
      const countOf = async (table: 'domains' | 'databases') =>
        (await rig.db.selectFrom(table).select('id').where('account_id', '=', account_id).execute()).length;
      expect(await countOf('domains')).toBeLessThanOrEqual(row.max_domains);
      expect(await countOf('databases')).toBeLessThanOrEqual(row.max_databases);
    }
  });
});

describe('resources', () => {
  test('what is named is set, null is unlimited, what is left out stays, the package stays', async () => {
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
    expect((await getAccount(admin(), { account_id: sibling, include: nothing })).terminal_access).toBe(
      false,
    );
  });

  test('a count below what the account has is refused by field; a domain that is being removed counts no more', async () => {
    const account_id = await settled();
    for (let i = 0; i < 2; i++)
      await createDomain(admin(), { hosting_account_id: account_id, domain_name: `${fresh('r')}.example` });
    await insertApps(account_id, 2);
    expect(
      await refusalOf(
        setAccountResources(admin(), { account_id, ...resources, max_domains: 1, max_apps: 1 }),
      ),
    ).toMatchObject({
      code: 'invalid',
      fields: {
        max_domains: ['The max domains field must be at least 2.'],
        max_apps: ['The max apps field must be at least 2.'],
      },
    });
    await rig.db
      .updateTable('domains')
      .set({ state: 'removing' })
      .where('account_id', '=', account_id)
      .where('is_primary', '=', 0)
      .execute();
    const { view } = await setAccountResources(admin(), {
      account_id,
      ...resources,
      max_domains: 1,
      max_apps: 2,
    });
    expect(view.max_domains).toBe(1);
  });
});

describe('what is embedded', () => {
  test('apps are counted always and embedded on demand, at most ten', async () => {
    const account_id = await settled();
    await insertApps(account_id, 12);
    const plain = await getAccount(admin(), { account_id, include: nothing });
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

  test('usage is what the node last measured, 0 before the first time', async () => {
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
    await rig.db
      .insertInto('usage_snapshots')
      .values({ account_id, ...measured, taken_at: new Date() })
      .execute();
    const month = new Date().toISOString().slice(0, 7);
    await rig.db
      .insertInto('bandwidth_monthly')
      .values({ account_id, month, used_mb: measured.bandwidth_used_mb, updated_at: new Date() })
      .execute();
    expect(await usage()).toMatchObject(measured);
  });
});

describe('termination', () => {
  test('the account stays visible, takes no other write, and is gone with its name when its node says so', async () => {
    const username = fresh('leaver');
    const account_id = await settled({ package_id: rig.packageId, username });
    const domain = await createDomain(admin(), {
      hosting_account_id: account_id,
      domain_name: `${username}.example`,
    });
    const ctx = admin();
    expect(await terminateAccount(ctx, { account_id })).toMatchObject({ view: {}, generation: 3 });
    expect(await terminateAccount(ctx, { account_id })).toMatchObject({ view: {}, generation: 3 });
    expect(ctx.wakes).toHaveLength(1);
    expect((await getAccount(ctx, { account_id, include: nothing })).status).toBe('terminating');

    const writes = [
      () => suspendAccount(ctx, { account_id }),
      () => unsuspendAccount(ctx, { account_id }),
      () => setAccountPassword(ctx, { account_id, password: 'correct horse' }),
      () => changeAccountPackage(ctx, { account_id, package_id: rig.packageId }),
      () => setAccountResources(ctx, { account_id, ...resources }),
      () => createDomain(ctx, { hosting_account_id: account_id, domain_name: 'late.example' }),
    ];
    for (const write of writes)
      expect(await refusalOf(write())).toMatchObject({
        code: 'precondition_failed',
        message: 'This account is being terminated.',
      });
    expect(await refusalOf(open(ctx, { package_id: rig.packageId, username }))).toMatchObject({
      code: 'invalid',
    });

    expect(await specOf(rig.db, account_id)).toMatchObject({ desired_state: 'absent' });
    await reportNewest(rig.db, account_id, { outcome: 'absent' });
    expect(await refusalOf(getAccount(ctx, { account_id, include: nothing }))).toMatchObject({
      code: 'not_found',
    });
    for (const table of ['usernames', 'users'] as const)
      expect(await rig.db.selectFrom(table).selectAll().where('username', '=', username).execute()).toEqual(
        [],
      );
    const again = await open(ctx, { package_id: rig.packageId, username });
    expect(again.accountId).toBeGreaterThan(account_id);
    await createDomain(ctx, { hosting_account_id: again.accountId, domain_name: domain.view.domain_name });
  });

  test('a report about an older generation does not end an account', async () => {
    const account_id = await settled();
    const { nodeId, generation } = await terminateAccount(admin(), { account_id });
    await storeReport(rig.db, {
      node_id: nodeId,
      session_id,
      report: {
        account_id,
        observed_generation: generation - 1,
        outcome: 'absent',
        conditions: [],
        domains: [],
        databases: [],
        apps: [],
        driver_ms: {},
      },
      now: new Date(),
    });
    expect((await rowOf(rig.db, account_id)).state).toBe('terminating');
  });

  test('a create that the node refuses for good is undone with its report, and the reason is kept', async () => {
    const { accountId: account_id } = await open(admin(), { package_id: rig.packageId });
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

  test.each([
    ['the node holds another creation', { type: 'creation', reason: 'Refused' }],
    ['the node refused the first spec', { type: 'spec', reason: 'Refused' }],
  ] as const)('a create is removed at once, without an end for the node, when %s', async (_, condition) => {
    const { accountId: account_id } = await open(admin(), { package_id: rig.packageId });
    const stored = await reportNewest(rig.db, account_id, {
      outcome: 'failed',
      conditions: [{ ...condition, message: 'It is another’s.' }],
    });
    expect(stored).toMatchObject({ observed: { account_id, outcome: 'failed' } });
    expect(stored).not.toHaveProperty('wake');
    expect(await findAccountRow(account_id)).toBeUndefined();
    expect(await auditOf(rig.db, account_id)).toEqual([
      'account.create',
      'account.create_failed',
      'account.removed',
    ]);
    expect(await findCreateFailure(admin(), { account_id })).toMatchObject({ reason: 'It is another’s.' });
  });

  test('the end of an account of which the node holds another creation removes its rows alone', async () => {
    const account_id = await settled();
    await terminateAccount(admin(), { account_id });
    const stored = await reportNewest(rig.db, account_id, {
      outcome: 'failed',
      conditions: [{ type: 'creation', reason: 'Refused', message: 'It is another’s.' }],
    });
    expect(stored).not.toHaveProperty('wake');
    expect(await findAccountRow(account_id)).toBeUndefined();
  });

  test('an account that was true once stays, whatever creation its node says to hold', async () => {
    const account_id = await settled();
    await suspendAccount(admin(), { account_id });
    await reportNewest(rig.db, account_id, {
      outcome: 'failed',
      conditions: [{ type: 'creation', reason: 'Refused', message: 'It is another’s.' }],
    });
    expect((await rowOf(rig.db, account_id)).state).toBe('suspended');
  });

  const findAccountRow = (id: number) =>
    rig.db.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst();

  test('every creation has an id of its own, which its spec carries', async () => {
    const ids = [];
    for (let made = 0; made < 2; made++) {
      const { accountId } = await open(admin(), { package_id: rig.packageId });
      ids.push((await rowOf(rig.db, accountId)).creation_id);
    }
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  test('an account that was true once is never undone, whatever fails later', async () => {
    const account_id = await settled();
    await suspendAccount(admin(), { account_id });
    expect(await reportNewest(rig.db, account_id, { outcome: 'failed' })).not.toHaveProperty('wake');
    expect((await rowOf(rig.db, account_id)).state).toBe('suspended');
    expect(await findCreateFailure(admin(), { account_id })).toBeUndefined();
  });

  test('a create is not undone for an older generation that failed', async () => {
    const { accountId: account_id } = await open(admin(), { package_id: rig.packageId });
    await suspendAccount(admin(), { account_id });
    await reportNewest(rig.db, account_id, { outcome: 'failed', observed_generation: 1 });
    expect((await rowOf(rig.db, account_id)).state).toBe('suspended');
  });
});

describe('scope', () => {
  test('another reseller’s account is as unknown to every verb as one that is none', async () => {
    const owner = await addReseller(rig.db);
    const stranger = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: owner.username });
    const { accountId } = await open(owner, { package_id: own });
    const before = await rowOf(rig.db, accountId);
    for (const account_id of [accountId, 9_999_999]) {
      const verbs = [
        () => getAccount(stranger, { account_id, include: nothing }),
        () => suspendAccount(stranger, { account_id }),
        () => unsuspendAccount(stranger, { account_id }),
        () => setAccountPassword(stranger, { account_id, password: 'correct horse' }),
        () => changeAccountPackage(stranger, { account_id, package_id: own }),
        () => setAccountResources(stranger, { account_id, ...resources }),
        () => terminateAccount(stranger, { account_id }),
      ];
      for (const verb of verbs) expect(await refusalOf(verb())).toMatchObject({ code: 'not_found' });
    }
    expect(await rowOf(rig.db, accountId)).toEqual(before);
    expect(await getAccount(owner, { account_id: accountId, include: nothing })).toMatchObject({
      id: accountId,
    });
    expect(await getAccount(admin(), { account_id: accountId, include: nothing })).toHaveProperty('node');
  });
});

describe('the list', () => {
  test('a reseller sees its own, an admin all, page by page, and a name in any case', async () => {
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
    await createDomain(admin(), { hosting_account_id: account_id, domain_name });
    await createDomain(admin(), { hosting_account_id: account_id, domain_name: `www.${domain_name}` });
    const { username } = await rowOf(rig.db, account_id);
    const { items } = await listAccounts(admin(), { username, page: 1, per_page: 25 });
    expect(items.map(({ primary_domain }) => primary_domain)).toEqual([domain_name]);
  });
});
