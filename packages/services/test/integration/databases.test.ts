import { accountSpecSchema, type DatabaseStatus } from '@innkeeper/protocol';
import {
  allowDatabaseIp,
  changeAccountPackage,
  createDatabase,
  getDatabase,
  listDatabases,
  type OperatorContext,
  removeDatabase,
  resetDatabasePassword,
  revokeDatabaseIp,
  type ServiceContext,
  setAccountResources,
  showDatabasePassword,
  storeReport,
  suspendAccount,
  terminateAccount,
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

const rig = useDatabaseRig({ max_databases: 100 });
const { admin, newAccount, newestAudit } = rig;

const add = (hosting_account_id: number, name?: string, ctx: OperatorContext = admin()) =>
  createDatabase(ctx, { hosting_account_id, name });
const show = (database_id: number) => getDatabase(admin(), { database_id });
const says = (database_id: number, status: DatabaseStatus['status'], reason = '') => ({
  databases: [{ database_id, status, reason }],
});
const databasesIn = async (accountId: number) =>
  accountSpecSchema.parse(await specOf(rig.db, accountId)).databases;
const refuseTaken = { code: 'invalid', fields: { name: ['The name has already been taken.'] } };
const refuseRemoved = { code: 'precondition_failed', message: 'This database is being removed.' };

describe('adding', () => {
  test('the database is pending, in the spec of the next generation with a password, and audited without', async () => {
    const id = await newAccount();
    const ctx = admin();
    const { view, generation } = await add(id, ' My Blog ', ctx);
    const { linux_user, username } = await rowOf(rig.db, id);
    expect(view).toEqual({
      id: view.id,
      hosting_account_id: id,
      name: ' My Blog ',
      db_name: `${linux_user}_my_blog`,
      db_user: `${linux_user}_my_blog`,
      db_host: 'localhost',
      status: 'pending',
      status_reason: null,
      allowed_ips: null,
      hosting_account: { id, username },
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
    expect(generation).toBe(2);
    expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId: id, generation }]);
    const [spec] = await databasesIn(id);
    expect(spec).toEqual({
      database_id: view.id,
      db_name: view.db_name,
      password: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      password_revision: 1,
      allowed_ips: [],
      desired_state: 'active',
    });
    expect(await newestAudit(id)).toEqual({
      action: 'database.create',
      target: `database:${view.id}`,
      after: { name: ' My Blog ', db_name: view.db_name },
      generation,
    });
    expect(await everythingStored()).not.toContain(spec?.password);
    await reportNewest(rig.db, id, says(view.id, 'active'));
    expect((await show(view.id)).status).toBe('active');
  });

  test('without a label it gets a name of its own', async () => {
    const id = await newAccount();
    const [one, other] = [(await add(id)).view, (await add(id)).view];
    for (const { name, db_name } of [one, other]) {
      expect(db_name).toMatch(/^tenant\d+_[a-z0-9]{6}$/);
      expect(name).toBe(db_name);
    }
    expect(one.db_name).not.toBe(other.db_name);
    const { db_name, name } = (await add(id, '日本')).view;
    expect(db_name).toMatch(/^tenant\d+_[a-z0-9]{6}$/);
    expect(name).toBe('日本');
  });

  test('a name is one database’s in the whole fleet', async () => {
    const stem = fresh('fleet');
    const [one, other] = await Promise.all(
      [`${stem}`, `${stem}_a`].map(
        async (username) => (await open(admin(), { package_id: rig.packageId, username })).accountId,
      ),
    );
    if (one === undefined || other === undefined) throw new Error('no accounts');
    expect((await add(one, 'a b')).view.db_name).toBe(`${stem}_a_b`);
    expect(await refusalOf(add(other, 'b'))).toMatchObject(refuseTaken);
    expect(await refusalOf(add(one, 'A  B'))).toMatchObject(refuseTaken);
    expect((await add(other, 'c')).view.db_name).toBe(`${stem}_a_c`);
  });

  test('is refused while the account is being terminated, and allowed while it is suspended', async () => {
    const [going, suspended] = [await newAccount(), await newAccount()];
    await terminateAccount(admin(), { account_id: going });
    expect(await refusalOf(add(going))).toMatchObject({
      code: 'precondition_failed',
      message: 'This account is being terminated.',
    });
    await suspendAccount(admin(), { account_id: suspended });
    const { view } = await add(suspended);
    await reportNewest(rig.db, suspended, says(view.id, 'suspended'));
    expect((await show(view.id)).status).toBe('suspended');
  });
});

describe('limits', () => {
  test('of 32 creates at once exactly as many succeed as the account may have', async () => {
    const id = await newAccount({ max_databases: 5 });
    const results = await Promise.allSettled(Array.from({ length: 32 }, (_, i) => add(id, `n${i}`)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'quota_exceeded',
          message: 'Database limit reached (5).',
        });
    expect((await rowOf(rig.db, id)).generation).toBe(6);
  });

  test('of 32 creates of one name, in two accounts whose names make the same, exactly one succeeds', async () => {
    const stem = fresh('race');
    const [one, other] = await Promise.all(
      [stem, `${stem}_a`].map(
        async (username) =>
          (await open(admin(), { package_id: rig.packageId, username, max_databases: 100 })).accountId,
      ),
    );
    const results = await Promise.allSettled(
      Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? add(one ?? 0, 'a b') : add(other ?? 0, 'b'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(refuseTaken);
  });

  test('none may be none', async () => {
    expect(await refusalOf(add(await newAccount({ max_databases: 0 })))).toMatchObject({
      message: 'Database limit reached (0).',
    });
  });

  test('one that is being removed makes room at once; its name stays taken until it is gone', async () => {
    const id = await newAccount({ max_databases: 1 });
    const { view } = await add(id, 'one');
    expect(await refusalOf(add(id, 'two'))).toMatchObject({ code: 'quota_exceeded' });
    await removeDatabase(admin(), { database_id: view.id });
    expect(await refusalOf(add(id, 'one'))).toMatchObject(refuseTaken);
    await add(id, 'two');
    expect(await refusalOf(add(id, 'three'))).toMatchObject({ code: 'quota_exceeded' });
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    expect(await refusalOf(show(view.id))).toMatchObject({ code: 'not_found' });
  });

  test('one that is being removed keeps no package and no lower limit away', async () => {
    const id = await newAccount({ max_databases: 2 });
    const { view } = await add(id);
    const none = await addPackage(rig.db, { max_databases: 0 });
    const resources = { ...limits, max_databases: 0, terminal_access: false };
    expect(
      await refusalOf(changeAccountPackage(admin(), { account_id: id, package_id: none })),
    ).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('1 databases (at most 0)'),
    });
    expect(await refusalOf(setAccountResources(admin(), { account_id: id, ...resources }))).toMatchObject({
      fields: { max_databases: ['The max databases field must be at least 1.'] },
    });
    await removeDatabase(admin(), { database_id: view.id });
    await setAccountResources(admin(), { account_id: id, ...resources });
    await changeAccountPackage(admin(), { account_id: id, package_id: none });
    expect((await rowOf(rig.db, id)).max_databases).toBe(0);
  });

  test('a lower limit that another request sets at the same time is never exceeded', async () => {
    const id = await newAccount({ max_databases: 5 });
    await Promise.allSettled([
      ...Array.from({ length: 5 }, () => add(id)),
      setAccountResources(admin(), { account_id: id, ...limits, max_databases: 1, terminal_access: false }),
    ]);
    const { max_databases } = await rowOf(rig.db, id);
    const { total } = await listDatabases(admin(), { hosting_account_id: id, page: 1, per_page: 25 });
    expect(total).toBeLessThanOrEqual(max_databases);
  });
});

describe('a new password', () => {
  test('is another one under a higher revision, sealed, and nowhere else', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    const [before] = await databasesIn(id);
    const { generation } = await resetDatabasePassword(admin(), { database_id: view.id });
    const [after] = await databasesIn(id);
    expect(generation).toBe(3);
    expect(after).toMatchObject({
      password_revision: 2,
      password: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    });
    expect(after?.password).not.toBe(before?.password);
    expect(await newestAudit(id)).toEqual({
      action: 'database.password',
      target: `database:${view.id}`,
      db_name: view.db_name,
      replaced: ['password'],
      generation,
    });
    const stored = await everythingStored();
    for (const password of [before?.password, after?.password]) expect(stored).not.toContain(password);
  });

  test('of many at once each is a revision of its own', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    await Promise.all(
      Array.from({ length: 8 }, () => resetDatabasePassword(admin(), { database_id: view.id })),
    );
    expect((await databasesIn(id))[0]?.password_revision).toBe(9);
  });
});

describe('showing a password', () => {
  test('tells the one that the node has, changes nothing, and leaves a row without it', async () => {
    const id = await newAccount();
    const { view, generation } = await add(id);
    const password = await showDatabasePassword(admin(), { database_id: view.id });
    expect(password).toBe((await databasesIn(id))[0]?.password);
    expect((await rowOf(rig.db, id)).generation).toBe(generation);
    expect(await newestAudit(id)).toEqual({
      action: 'database.show-password',
      target: `database:${view.id}`,
      db_name: view.db_name,
    });
    expect(await everythingStored()).not.toContain(password);
  });

  test('is refused to others, and for a database that is being removed: no row then', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    const { user_id } = await rowOf(rig.db, id);
    const own = { userId: user_id, role: 'user', tokenId: null, address: '192.0.2.1' } as const;
    const show = (ctx: ServiceContext) => showDatabasePassword(ctx, { database_id: view.id });
    expect(await show({ ...admin(), actor: { ...own, accountId: id } })).toHaveLength(32);
    const last = await newestAudit(id);
    expect(await refusalOf(show(await addReseller(rig.db)))).toMatchObject({ code: 'not_found' });
    expect(
      await refusalOf(show({ ...admin(), actor: { ...own, accountId: await newAccount() } })),
    ).toMatchObject({ code: 'not_found' });
    expect(await newestAudit(id)).toEqual(last);
    await removeDatabase(admin(), { database_id: view.id });
    expect(await refusalOf(show(admin()))).toMatchObject({ code: 'precondition_failed' });
    expect((await newestAudit(id)).action).toBe('database.delete');
  });
});

describe('allowed addresses', () => {
  const allow = (database_id: number, ip: string) => allowDatabaseIp(admin(), { database_id, ip });
  const revoke = (database_id: number, ip: string) => revokeDatabaseIp(admin(), { database_id, ip });

  test('are in the view and in the spec in the order they came, each once', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    await allow(view.id, '198.51.100.7');
    const allowed = await allow(view.id, '2001:db8::7');
    expect(allowed.view.allowed_ips).toEqual(['198.51.100.7', '2001:db8::7']);
    expect((await databasesIn(id))[0]?.allowed_ips).toEqual(['198.51.100.7', '2001:db8::7']);
    expect(await newestAudit(id)).toEqual({
      action: 'database.allow-ip',
      target: `database:${view.id}`,
      db_name: view.db_name,
      before: { allowed_ips: ['198.51.100.7'] },
      after: { allowed_ips: ['198.51.100.7', '2001:db8::7'] },
      generation: allowed.generation,
    });
    expect(await refusalOf(allow(view.id, '2001:db8::7'))).toMatchObject({
      code: 'invalid',
      fields: { ip: ['The ip has already been taken.'] },
    });
    expect((await revoke(view.id, '198.51.100.7')).view.allowed_ips).toEqual(['2001:db8::7']);
    expect((await revoke(view.id, '2001:db8::7')).view.allowed_ips).toBeNull();
    expect(await newestAudit(id)).toMatchObject({
      action: 'database.revoke-ip',
      before: { allowed_ips: ['2001:db8::7'] },
      after: { allowed_ips: [] },
    });
    expect(await refusalOf(revoke(view.id, '2001:db8::7'))).toMatchObject({ code: 'not_found' });
    expect((await databasesIn(id))[0]?.allowed_ips).toEqual([]);
  });

  test('are one database’s alone', async () => {
    const id = await newAccount();
    const [one, other] = [(await add(id)).view, (await add(id)).view];
    await allow(one.id, '198.51.100.7');
    await allow(other.id, '198.51.100.7');
    await revoke(one.id, '198.51.100.7');
    expect((await show(other.id)).allowed_ips).toEqual(['198.51.100.7']);
    const { items } = await listDatabases(admin(), { hosting_account_id: id, page: 1, per_page: 25 });
    expect(items.map(({ allowed_ips }) => allowed_ips)).toEqual([null, ['198.51.100.7']]);
  });

  test('are at most 50, whatever asks for them at the same time', async () => {
    const { view } = await add(await newAccount());
    for (let n = 1; n < 50; n++) await allow(view.id, `198.51.100.${n}`);
    const results = await Promise.allSettled(
      Array.from({ length: 32 }, (_, n) => allow(view.id, `203.0.113.${n}`)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'quota_exceeded',
          message: 'Allowed IP limit reached (50).',
        });
    expect((await show(view.id)).allowed_ips).toHaveLength(50);
  });

  test('of 32 that are the same exactly one is taken', async () => {
    const { view } = await add(await newAccount());
    const results = await Promise.allSettled(Array.from({ length: 32 }, () => allow(view.id, '192.0.2.1')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await show(view.id)).allowed_ips).toEqual(['192.0.2.1']);
  });
});

describe('removing', () => {
  test('leaves a tombstone that is shown and takes no change, and asking again changes nothing', async () => {
    const id = await newAccount();
    const { view } = await add(id, 'gone');
    await allowDatabaseIp(admin(), { database_id: view.id, ip: '192.0.2.1' });
    const ctx = admin();
    const removed = await removeDatabase(ctx, { database_id: view.id });
    expect(await removeDatabase(ctx, { database_id: view.id })).toEqual(removed);
    expect(ctx.wakes).toHaveLength(1);
    expect((await show(view.id)).status).toBe('removing');
    expect((await databasesIn(id))[0]).toMatchObject({ db_name: view.db_name, desired_state: 'absent' });
    expect(await newestAudit(id)).toMatchObject({
      action: 'database.delete',
      before: { name: 'gone', db_name: view.db_name, allowed_ips: ['192.0.2.1'], status: 'pending' },
    });
    const database_id = view.id;
    expect(await refusalOf(resetDatabasePassword(ctx, { database_id }))).toMatchObject(refuseRemoved);
    expect(await refusalOf(allowDatabaseIp(ctx, { database_id, ip: '192.0.2.2' }))).toMatchObject(
      refuseRemoved,
    );
    expect(await refusalOf(revokeDatabaseIp(ctx, { database_id, ip: '192.0.2.1' }))).toMatchObject(
      refuseRemoved,
    );
  });

  test('is refused for a database that belongs to an app', async () => {
    const { view } = await add(await newAccount());
    await rig.db.updateTable('databases').set({ app_id: 7 }).where('id', '=', view.id).execute();
    expect(await refusalOf(removeDatabase(admin(), { database_id: view.id }))).toMatchObject({
      code: 'precondition_failed',
      message: 'This database belongs to an app, and is removed with it.',
    });
  });

  test('waits for no account that is being terminated', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    await terminateAccount(admin(), { account_id: id });
    const database_id = view.id;
    for (const write of [
      () => removeDatabase(admin(), { database_id }),
      () => resetDatabasePassword(admin(), { database_id }),
      () => allowDatabaseIp(admin(), { database_id, ip: '192.0.2.1' }),
    ])
      expect(await refusalOf(write())).toMatchObject({
        code: 'precondition_failed',
        message: 'This account is being terminated.',
      });
    await reportNewest(rig.db, id, { outcome: 'absent' });
    expect(await refusalOf(show(database_id))).toMatchObject({ code: 'not_found' });
  });
});

describe('reports', () => {
  test('a database that fails says why until it does no more', async () => {
    const id = await newAccount();
    const [one, other] = [(await add(id)).view, (await add(id)).view];
    await reportNewest(rig.db, id, {
      databases: [
        { database_id: one.id, status: 'failed', reason: 'The disk is full.' },
        { database_id: other.id, status: 'active', reason: '' },
      ],
    });
    expect(await show(one.id)).toMatchObject({ status: 'failed', status_reason: 'The disk is full.' });
    expect(await show(other.id)).toMatchObject({ status: 'active', status_reason: null });
    await reportNewest(rig.db, id, says(one.id, 'active'));
    expect(await show(one.id)).toMatchObject({ status: 'active', status_reason: null });
  });

  test('a database that its node does not have has failed, and stays', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    expect(await show(view.id)).toMatchObject({
      status: 'failed',
      status_reason: 'The hosting server says it has no such database.',
    });
  });

  test('what is not in the account is passed over', async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    const { view } = await add(other);
    for (const database_id of [view.id, 9_999_999])
      expect(await reportNewest(rig.db, id, says(database_id, 'absent'))).toMatchObject({
        stored: true,
      });
    expect((await show(view.id)).status).toBe('pending');
  });

  test('a tombstone goes with its addresses and an audit row, once the newest generation is reported', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    const database_id = view.id;
    await allowDatabaseIp(admin(), { database_id, ip: '192.0.2.1' });
    const { generation } = await removeDatabase(admin(), { database_id });
    await add(id);
    const { node_id } = await rowOf(rig.db, id);
    const report = {
      account_id: id,
      observed_generation: generation,
      outcome: 'applied' as const,
      conditions: [],
      domains: [],
      apps: [],
      driver_ms: {},
      ...says(database_id, 'absent'),
    };
    await storeReport(rig.db, { node_id, session_id, report, now: new Date() });
    expect((await show(database_id)).status).toBe('removing');
    expect((await databasesIn(id)).map(({ desired_state }) => desired_state)).toEqual(['absent', 'active']);

    await reportNewest(rig.db, id, says(database_id, 'absent'));
    expect(await refusalOf(show(database_id))).toMatchObject({ code: 'not_found' });
    const addresses = await rig.db
      .selectFrom('database_allowed_ips')
      .selectAll()
      .where('database_id', '=', database_id)
      .execute();
    expect(addresses).toEqual([]);
    expect(await newestAudit(id)).toEqual({
      action: 'database.removed',
      target: `account:${id}`,
      databases: [view.db_name],
      count: 1,
    });
    expect(await auditOf(rig.db, id)).toEqual([
      'account.create',
      'database.create',
      'database.allow-ip',
      'database.delete',
      'database.create',
      'database.removed',
    ]);
  });

  test('a tombstone that an app still names waits for the app', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    const now = new Date();
    const { insertId } = await rig.db
      .insertInto('apps')
      .values({
        account_id: id,
        name: 'blog',
        template_key: 'wordpress',
        status: 'running',
        database_id: view.id,
        created_at: now,
        updated_at: now,
      })
      .executeTakeFirstOrThrow();
    await removeDatabase(admin(), { database_id: view.id });
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    expect((await show(view.id)).status).toBe('removing');
    await rig.db.deleteFrom('apps').where('id', '=', Number(insertId)).execute();
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    expect(await refusalOf(show(view.id))).toMatchObject({ code: 'not_found' });
  });
});

describe('scope', () => {
  test('another reseller’s databases and accounts are as unknown as what does not exist', async () => {
    const owner = await addReseller(rig.db);
    const stranger = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: owner.username });
    const account = (await open(owner, { package_id: own })).accountId;
    const { view } = await add(account, undefined, owner);
    const ip = '192.0.2.1';
    await allowDatabaseIp(owner, { database_id: view.id, ip });
    for (const database_id of [view.id, 9_999_999])
      for (const work of [
        () => getDatabase(stranger, { database_id }),
        () => removeDatabase(stranger, { database_id }),
        () => resetDatabasePassword(stranger, { database_id }),
        () => allowDatabaseIp(stranger, { database_id, ip }),
        () => revokeDatabaseIp(stranger, { database_id, ip }),
      ])
        expect(await refusalOf(work())).toMatchObject({ code: 'not_found' });
    for (const hosting_account_id of [account, 9_999_999])
      for (const work of [
        () => createDatabase(stranger, { hosting_account_id }),
        () => listDatabases(stranger, { hosting_account_id, page: 1, per_page: 25 }),
      ])
        expect(await refusalOf(work())).toMatchObject({ code: 'not_found' });
    expect((await listDatabases(stranger, { page: 1, per_page: 25 })).total).toBe(0);
    expect((await listDatabases(owner, { page: 1, per_page: 25 })).items).toMatchObject([{ id: view.id }]);
    expect((await getDatabase(owner, { database_id: view.id })).allowed_ips).toEqual([ip]);
  });

  test('the list is paged by age, of one account or of all', async () => {
    const id = await newAccount();
    expect((await listDatabases(admin(), { hosting_account_id: id, page: 1, per_page: 2 })).items).toEqual(
      [],
    );
    const made: number[] = [];
    for (let i = 0; i < 3; i++) made.push((await add(id)).view.id);
    const page = await listDatabases(admin(), { hosting_account_id: id, page: 2, per_page: 2 });
    expect(page).toMatchObject({ page: 2, per_page: 2, total: 3 });
    expect(page.items.map((item) => item.id)).toEqual(made.slice(2));
    expect((await listDatabases(admin(), { page: 1, per_page: 1 })).total).toBeGreaterThan(3);
  });
});

/** Returns every row of the tables that could contain a password by mistake. */
async function everythingStored(): Promise<string> {
  const rows = await Promise.all(
    (['databases', 'audit_log', 'accounts'] as const).map((table) =>
      rig.db.selectFrom(table).selectAll().execute(),
    ),
  );
  return JSON.stringify(rows);
}
