import type { DatabaseStatus } from '@innkeeper/protocol';
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
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import {
  addPackage,
  addReseller,
  auditOf,
  open,
  reportNewest,
  rowOf,
  session_id,
  specOf,
} from './fixtures.ts';
import { fresh, insertAppRecord, limits, reportOf, rowsWhere } from './records.ts';
import { expectRace, expectRefusal, failedPrecondition, invalid, limitReached, taken } from './refusals.ts';

const rig = useDatabaseRig({ max_databases: 100 });
const { admin, newAccount, newestAudit } = rig;

const add = (hosting_account_id: number, name?: string, ctx: OperatorContext = admin()) =>
  createDatabase(ctx, { hosting_account_id, name });
const show = (database_id: number) => getDatabase(admin(), { database_id });
const says = (database_id: number, status: DatabaseStatus['status'], reason = '') => ({
  databases: [{ database_id, status, reason }],
});
const databasesIn = async (accountId: number) => (await specOf(rig.db, accountId)).databases;
const refuseTaken = taken('name');
const refuseRemoved = failedPrecondition('This database is being removed.');

describe('adding', () => {
  test('the database is pending, in the next generation’s spec with its password, and audited without the password', async () => {
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

  test('a database without a usable label gets a generated name', async () => {
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

  test('a database name is unique on all nodes', async () => {
    const stem = fresh('fleet');
    const [one, other] = await Promise.all(
      [`${stem}`, `${stem}_a`].map(
        async (username) => (await open(admin(), { package_id: rig.packageId, username })).accountId,
      ),
    );
    if (one === undefined || other === undefined) throw new Error('no accounts');
    expect((await add(one, 'a b')).view.db_name).toBe(`${stem}_a_b`);
    await expectRefusal(add(other, 'b'), refuseTaken);
    await expectRefusal(add(one, 'A  B'), refuseTaken);
    expect((await add(other, 'c')).view.db_name).toBe(`${stem}_a_c`);
  });

  test('is allowed while the account is suspended', async () => {
    const suspended = await newAccount();
    await suspendAccount(admin(), { account_id: suspended });
    const { view } = await add(suspended);
    await reportNewest(rig.db, suspended, says(view.id, 'suspended'));
    expect((await show(view.id)).status).toBe('suspended');
  });
});

describe('limits', () => {
  test('of 32 concurrent creates of one name by two accounts exactly one succeeds', async () => {
    const stem = fresh('race');
    const [one, other] = await Promise.all(
      [stem, `${stem}_a`].map(
        async (username) =>
          (await open(admin(), { package_id: rig.packageId, username, max_databases: 100 })).accountId,
      ),
    );
    await expectRace({ calls: 32, winners: 1, refusal: refuseTaken }, (i) =>
      i % 2 === 0 ? add(one ?? 0, 'a b') : add(other ?? 0, 'b'),
    );
  });

  test('a limit of 0 allows none', async () => {
    await expectRefusal(add(await newAccount({ max_databases: 0 })), limitReached('Database', 0));
  });

  test('the name of a database that is being removed stays taken until it is gone', async () => {
    const id = await newAccount({ max_databases: 1 });
    const { view } = await add(id, 'one');
    await expectRefusal(add(id, 'two'), 'quota_exceeded');
    await removeDatabase(admin(), { database_id: view.id });
    await expectRefusal(add(id, 'one'), refuseTaken);
    await add(id, 'two');
    await expectRefusal(add(id, 'three'), 'quota_exceeded');
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    await expectRefusal(show(view.id), 'not_found');
  });

  test('a database that is being removed does not count for a package change or a lower limit', async () => {
    const id = await newAccount({ max_databases: 2 });
    const { view } = await add(id);
    const none = await addPackage(rig.db, { max_databases: 0 });
    const resources = { ...limits, max_databases: 0, terminal_access: false };
    await expectRefusal(changeAccountPackage(admin(), { account_id: id, package_id: none }), {
      code: 'invalid',
      message: expect.stringContaining('1 databases (at most 0)'),
    });
    await expectRefusal(
      setAccountResources(admin(), { account_id: id, ...resources }),
      invalid({ max_databases: 'The max databases field must be at least 1.' }),
    );
    await removeDatabase(admin(), { database_id: view.id });
    await setAccountResources(admin(), { account_id: id, ...resources });
    await changeAccountPackage(admin(), { account_id: id, package_id: none });
    expect((await rowOf(rig.db, id)).max_databases).toBe(0);
  });
});

describe('a new password', () => {
  test('has a higher revision, and is stored only encrypted', async () => {
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

  test('8 concurrent resets make 8 revisions', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    await Promise.all(
      Array.from({ length: 8 }, () => resetDatabasePassword(admin(), { database_id: view.id })),
    );
    expect((await databasesIn(id))[0]?.password_revision).toBe(9);
  });
});

describe('showing a password', () => {
  test('returns the password of the spec, changes nothing, and is audited without it', async () => {
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

  test('is refused to others and for a database that is being removed, without an audit row', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    const { user_id } = await rowOf(rig.db, id);
    const own = { userId: user_id, role: 'user', tokenId: null, address: '192.0.2.1' } as const;
    const show = (ctx: ServiceContext) => showDatabasePassword(ctx, { database_id: view.id });
    expect(await show({ ...admin(), actor: { ...own, accountId: id } })).toHaveLength(32);
    const last = await newestAudit(id);
    await expectRefusal(show(await addReseller(rig.db)), 'not_found');
    await expectRefusal(show({ ...admin(), actor: { ...own, accountId: await newAccount() } }), 'not_found');
    expect(await newestAudit(id)).toEqual(last);
    await removeDatabase(admin(), { database_id: view.id });
    await expectRefusal(show(admin()), 'precondition_failed');
    expect((await newestAudit(id)).action).toBe('database.delete');
  });
});

describe('allowed addresses', () => {
  const allow = (database_id: number, ip: string) => allowDatabaseIp(admin(), { database_id, ip });
  const revoke = (database_id: number, ip: string) => revokeDatabaseIp(admin(), { database_id, ip });

  test('are in the view and in the spec, in order, each once', async () => {
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
    await expectRefusal(allow(view.id, '2001:db8::7'), taken('ip'));
    expect((await revoke(view.id, '198.51.100.7')).view.allowed_ips).toEqual(['2001:db8::7']);
    expect((await revoke(view.id, '2001:db8::7')).view.allowed_ips).toBeNull();
    expect(await newestAudit(id)).toMatchObject({
      action: 'database.revoke-ip',
      before: { allowed_ips: ['2001:db8::7'] },
      after: { allowed_ips: [] },
    });
    await expectRefusal(revoke(view.id, '2001:db8::7'), 'not_found');
    expect((await databasesIn(id))[0]?.allowed_ips).toEqual([]);
  });

  test('belong to one database', async () => {
    const id = await newAccount();
    const [one, other] = [(await add(id)).view, (await add(id)).view];
    await allow(one.id, '198.51.100.7');
    await allow(other.id, '198.51.100.7');
    await revoke(one.id, '198.51.100.7');
    expect((await show(other.id)).allowed_ips).toEqual(['198.51.100.7']);
    const { items } = await listDatabases(admin(), { hosting_account_id: id, page: 1, per_page: 25 });
    expect(items.map(({ allowed_ips }) => allowed_ips)).toEqual([null, ['198.51.100.7']]);
  });

  test('are at most 50, also with concurrent requests', async () => {
    const { view } = await add(await newAccount());
    for (let n = 1; n < 50; n++) await allow(view.id, `198.51.100.${n}`);
    await expectRace({ calls: 32, winners: 1, refusal: limitReached('Allowed IP', 50) }, (n) =>
      allow(view.id, `203.0.113.${n}`),
    );
    expect((await show(view.id)).allowed_ips).toHaveLength(50);
  });

  test('of 32 concurrent requests for one address, one succeeds', async () => {
    const { view } = await add(await newAccount());
    await expectRace({ calls: 32, winners: 1 }, () => allow(view.id, '192.0.2.1'));
    expect((await show(view.id)).allowed_ips).toEqual(['192.0.2.1']);
  });
});

describe('removing', () => {
  test('leaves a visible tombstone that refuses changes; a second removal changes nothing', async () => {
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
    await expectRefusal(resetDatabasePassword(ctx, { database_id }), refuseRemoved);
    await expectRefusal(allowDatabaseIp(ctx, { database_id, ip: '192.0.2.2' }), refuseRemoved);
    await expectRefusal(revokeDatabaseIp(ctx, { database_id, ip: '192.0.2.1' }), refuseRemoved);
  });

  test('is refused for the database of an app', async () => {
    const { view } = await add(await newAccount());
    await rig.db.updateTable('databases').set({ app_id: 7 }).where('id', '=', view.id).execute();
    await expectRefusal(
      removeDatabase(admin(), { database_id: view.id }),
      failedPrecondition('This database belongs to an app, and is removed with it.'),
    );
  });
});

describe('reports', () => {
  test('a failed database shows its reason until it is active', async () => {
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

  test('a database that its node reports absent is failed, not deleted', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    expect(await show(view.id)).toMatchObject({
      status: 'failed',
      status_reason: 'The hosting server says it has no such database.',
    });
  });

  test('databases of other accounts in a report are ignored', async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    const { view } = await add(other);
    for (const database_id of [view.id, 9_999_999])
      expect(await reportNewest(rig.db, id, says(database_id, 'absent'))).toMatchObject({
        stored: true,
      });
    expect((await show(view.id)).status).toBe('pending');
  });

  test('a tombstone is deleted with its addresses, and audited, when the newest generation is reported', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    const database_id = view.id;
    await allowDatabaseIp(admin(), { database_id, ip: '192.0.2.1' });
    const { generation } = await removeDatabase(admin(), { database_id });
    await add(id);
    const { node_id } = await rowOf(rig.db, id);
    const report = reportOf(id, { observed_generation: generation, ...says(database_id, 'absent') });
    await storeReport(rig.db, { node_id, session_id, report, now: new Date() });
    expect((await show(database_id)).status).toBe('removing');
    expect((await databasesIn(id)).map(({ desired_state }) => desired_state)).toEqual(['absent', 'active']);

    await reportNewest(rig.db, id, says(database_id, 'absent'));
    await expectRefusal(show(database_id), 'not_found');
    const addresses = await rowsWhere(rig.db, 'database_allowed_ips', { database_id });
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

  test('a tombstone that an app uses waits for the app', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    const app_id = await insertAppRecord(rig.db, { account_id: id, database_id: view.id });
    await removeDatabase(admin(), { database_id: view.id });
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    expect((await show(view.id)).status).toBe('removing');
    await rig.db.deleteFrom('apps').where('id', '=', app_id).execute();
    await reportNewest(rig.db, id, says(view.id, 'absent'));
    await expectRefusal(show(view.id), 'not_found');
  });
});

/** Returns every row of the tables that could contain a password by mistake. */
async function everythingStored(): Promise<string> {
  const tables = ['databases', 'audit_log', 'accounts'] as const;
  return JSON.stringify(await Promise.all(tables.map((table) => rowsWhere(rig.db, table))));
}
