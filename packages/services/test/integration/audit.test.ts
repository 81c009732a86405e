import { deleteAccountRows, inTransaction } from '@innkeeper/db';
import {
  type AuditQuery,
  assignPackage,
  changeAccountPackage,
  cordonNode,
  createDomain,
  createToken,
  findFormerAccount,
  installSsl,
  listAudit,
  type OperatorContext,
  pruneAudit,
  removeDomain,
  revokeToken,
  type ServiceContext,
  setAccountPassword,
  setAccountResources,
  setPool,
  suspendAccount,
  terminateAccount,
  uncordonNode,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, reportNewest, rowOf } from './fixtures.ts';
import { fresh, limits, ownDatabase } from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let small: number;
let large: number;

beforeAll(async () => {
  await addOnlineNode(database.db);
  small = await addPackage(database.db);
  large = await addPackage(database.db, { disk_mb: 5_000, max_domains: 50, terminal_access: true });
});

const admin = () => actor(database.db);
const newAccount = async () => (await open(admin(), { package_id: small })).accountId;
const list = (query: Partial<AuditQuery> = {}, ctx: OperatorContext = admin()) =>
  listAudit(ctx, { limit: 100, ...query });
const newest = async () => (await list({ limit: 1 })).items[0];

describe('an audit row has the values before and after', () => {
  test('of a new account: its public fields, without the password', async () => {
    const account_id = await newAccount();
    const row = await newest();
    expect(row).toMatchObject({
      user: null,
      token: null,
      address: 'innctl',
      action: 'account.create',
      target: `account:${account_id}`,
      request_id: 'test',
      details: { after: { package_id: small, disk_limit_mb: 1_000, terminal_access: false } },
    });
    expect(JSON.stringify(row)).not.toMatch(/correct horse|argon2|\$6\$/);
  });

  test('of a state', async () => {
    const account_id = await newAccount();
    await suspendAccount(admin(), { account_id });
    expect((await newest())?.details).toEqual({
      username: expect.any(String),
      generation: 2,
      before: { status: 'active' },
      after: { status: 'suspended' },
    });
    await terminateAccount(admin(), { account_id });
    expect((await newest())?.details).toMatchObject({
      before: { status: 'suspended' },
      after: { status: 'terminating' },
    });
  });

  test('of limits: only those that changed', async () => {
    const account_id = await newAccount();
    await setAccountResources(admin(), {
      account_id,
      ...limits,
      disk_limit_mb: 2_000,
      terminal_access: true,
    });
    expect((await newest())?.details).toMatchObject({
      before: { disk_limit_mb: 1_000, terminal_access: false },
      after: { disk_limit_mb: 2_000, terminal_access: true },
    });
    await changeAccountPackage(admin(), { account_id, package_id: large });
    expect((await newest())?.details).toEqual({
      username: expect.any(String),
      generation: 3,
      before: { package_id: small, disk_limit_mb: 2_000, max_domains: 10 },
      after: { package_id: large, disk_limit_mb: 5_000, max_domains: 50 },
    });
  });

  test('of a password: only that it was replaced', async () => {
    const account_id = await newAccount();
    await setAccountPassword(admin(), { account_id, password: 'battery staple' });
    const row = await newest();
    expect(row?.details).toMatchObject({ before: {}, after: {}, replaced: ['password'] });
    expect(JSON.stringify(row)).not.toMatch(/battery staple|argon2|\$6\$/);
  });

  test('of domains', async () => {
    const hosting_account_id = await newAccount();
    const domain_name = `${fresh('audited')}.example`;
    const { view } = await createDomain(admin(), { hosting_account_id, domain_name });
    expect((await newest())?.details).toMatchObject({ after: { domain_name, is_primary: true } });
    await removeDomain(admin(), { domain_id: view.id });
    expect((await newest())?.details).toMatchObject({ before: { domain_name, is_primary: true } });
  });

  test('of pools, assignments, tokens and nodes', async () => {
    const reseller = await addReseller(database.db);
    await setPool(admin(), { reseller: reseller.username, disk_mb: 5_000 });
    expect((await newest())?.details).toMatchObject({ before: { disk_mb: null }, after: { disk_mb: 5_000 } });
    await assignPackage(admin(), { package_id: small, reseller: reseller.username });
    expect((await newest())?.details).toMatchObject({ after: { reseller: reseller.username } });

    const { token, plain_token } = await createToken(admin(), {
      user: reseller.username,
      name: 'billing',
      abilities: ['*'],
    });
    const created = await newest();
    expect(created?.details).toMatchObject({ after: { user: reseller.username, abilities: ['*'] } });
    expect(JSON.stringify(created)).not.toContain(plain_token);
    await revokeToken(admin(), { token_id: token.id });
    expect((await newest())?.details).toMatchObject({
      before: { revoked_at: null },
      after: { revoked_at: expect.stringMatching(/Z$/) },
    });

    const node = await addOnlineNode(database.db);
    await cordonNode(admin(), { node });
    expect((await newest())?.details).toMatchObject({
      before: { state: 'active' },
      after: { state: 'cordoned' },
    });
    await uncordonNode(admin(), { node });
    expect((await newest())?.action).toBe('node.uncordon');
  });

  test('a call that changes nothing writes no row', async () => {
    const account_id = await newAccount();
    await suspendAccount(admin(), { account_id });
    const before = await newest();
    await suspendAccount(admin(), { account_id });
    expect(await newest()).toEqual(before);
  });
});

describe('the list', () => {
  test('filters by account, user, action and time, newest first', async () => {
    const reseller = await addReseller(database.db);
    const own = await addPackage(database.db, { owner: reseller.username });
    const account_id = (await open(reseller, { package_id: own })).accountId;
    await suspendAccount(admin(), { account_id });
    const actions = async (query: Partial<AuditQuery>) =>
      (await list(query)).items.map(({ action }) => action);
    expect(await actions({ account_id })).toEqual(['account.suspend', 'account.create']);
    expect(await actions({ account_id, action: 'account.c' })).toEqual(['account.create']);
    expect(await actions({ account_id, action: 'account_' })).toEqual([]);
    expect(await actions({ user_id: reseller.actor.userId ?? 0 })).toEqual(['account.create']);
    expect(await actions({ account_id, since: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await actions({ account_id, since: new Date(Date.now() - 60_000) })).toHaveLength(2);
    const [created] = (await list({ user_id: reseller.actor.userId ?? 0 })).items;
    expect(created?.user).toEqual({ id: reseller.actor.userId, username: reseller.username });
    expect(created?.account?.id).toBe(account_id);
  });

  test('is paged by id, with each row on one page', async () => {
    const account_id = await newAccount();
    for (let i = 0; i < 4; i++)
      await setAccountPassword(admin(), { account_id, password: `correct horse ${i}` });
    const pages: number[][] = [];
    for (let before_id: number | null | undefined; before_id !== null; ) {
      const page = await list({ account_id, limit: 2, before_id });
      pages.push(page.items.map(({ id }) => id));
      before_id = page.next_before_id;
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    const ids = pages.flat();
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });

  test('shows and finds a removed account by its name, until its entries are pruned', async () => {
    const account_id = await newAccount();
    const { username, user_id } = await rowOf(database.db, account_id);
    expect((await list({ account_id })).items[0]).toMatchObject({ account: { username, exists: true } });
    expect(await findFormerAccount(admin(), { username })).toBe(undefined);
    const reseller = await addReseller(database.db);
    await expectRefusal(findFormerAccount(reseller, { username }), 'forbidden');
    await terminateAccount(admin(), { account_id });
    const { node_id } = await rowOf(database.db, account_id);
    await reportNewest(database.db, account_id, { outcome: 'absent' });
    const { items } = await list({ account_id });
    expect(items.map(({ action }) => action)).toEqual([
      'account.removed',
      'account.terminate',
      'account.create',
    ]);
    expect(items[0]).toMatchObject({
      address: `node:${node_id}`,
      account: { id: account_id, username, exists: false },
    });
    const known = { id: account_id, user_id };
    expect(await findFormerAccount(admin(), { username: username.toUpperCase() })).toEqual(known);
    expect(await findFormerAccount(admin(), { username: '%' })).toBe(undefined);
    // An older database was restored: another account had the id.
    const renamed = sql`update former_accounts set username = 'other' where id = ${account_id}`;
    await renamed.execute(database.db);
    const again = { ...(await rowOf(database.db, await newAccount())), id: account_id, username };
    await inTransaction(database.db, (trx) => deleteAccountRows(trx, { ...again, user_id }, new Date()));
    expect(await findFormerAccount(admin(), { username })).toEqual(known);
    // Somebody else gets the name.
    const heir = (await open(admin(), { package_id: small, username })).accountId;
    expect((await list({ account_id })).items[0]?.account).toEqual({
      id: account_id,
      username,
      exists: false,
    });
    expect((await list({ account_id: heir })).items[0]?.account).toMatchObject({ username, exists: true });

    const at = '2020-01-01';
    await sql`update audit_log set at = ${at} where account_id = ${account_id}`.execute(database.db);
    await sql`update former_accounts set removed_at = ${at} where id = ${account_id}`.execute(database.db);
    expect(await pruneAudit(admin(), { before: new Date('2020-01-02') })).toBe(3);
    expect(await findFormerAccount(admin(), { username })).toBe(undefined);
  });

  test('shows a reseller its accounts and its own actions, without other users’ addresses and nodes’ messages', async () => {
    const [reseller, stranger] = [await addReseller(database.db), await addReseller(database.db)];
    const own = await addPackage(database.db, { owner: reseller.username });
    const account_id = (await open(reseller, { package_id: own })).accountId;
    await suspendAccount(actor(database.db, { address: '192.0.2.7' }), { account_id });
    await newAccount();
    const shown = (await list({}, reseller)).items;
    expect(shown.map(({ action, address }) => [action, address])).toEqual([
      ['account.suspend', null],
      ['account.create', 'innctl'],
    ]);
    expect(shown[1]?.details).toEqual({ after: expect.objectContaining({ package_id: own }) });
    expect((await list({}, stranger)).items).toEqual([]);
    expect((await list({ account_id }, stranger)).items).toEqual([]);

    const failed = (await open(reseller, { package_id: own })).accountId;
    const conditions = [{ type: 'user', reason: 'Failed' as const, message: 'uid 20007 is in the way' }];
    await reportNewest(database.db, failed, { outcome: 'failed', conditions });
    expect(JSON.stringify(await list({ account_id: failed }))).toContain('in the way');
    expect(JSON.stringify(await list({ account_id: failed }, reseller))).not.toContain('in the way');
  });
});

test('an end user sees the actions on its account, without other users’ addresses', async () => {
  const account_id = await newAccount();
  const { user_id } = await rowOf(database.db, account_id);
  const owner: ServiceContext = {
    ...admin(),
    actor: { userId: user_id, role: 'user', accountId: account_id, tokenId: null, address: '192.0.2.1' },
  };
  const { view } = await createDomain(owner, {
    hosting_account_id: account_id,
    domain_name: `${fresh('told')}.example.com`,
  });
  await installSsl({ ...admin(), actor: { ...admin().actor, address: '192.0.2.9' } }, { domain_id: view.id });
  await newAccount();
  const { items } = await listAudit(owner, { limit: 10 });
  expect(items.map(({ action, address }) => [action, address])).toEqual([
    ['domain.install-ssl', null],
    ['domain.create', '192.0.2.1'],
    ['account.create', null],
  ]);
  expect(items[0]?.details).toMatchObject({ domain_name: view.domain_name });
  expect(items[0]?.details).not.toHaveProperty('generation');
});

describe('pruning', () => {
  test('deletes older rows, is audited itself, and keeps the rest', async () => {
    const account_id = await newAccount();
    const old = new Date('2020-01-01T00:00:00Z');
    const row = {
      request_id: 'old',
      user_id: null,
      token_id: null,
      address: 'innctl',
      account_id,
      details: '{}',
    };
    await database.db
      .insertInto('audit_log')
      .values(Array.from({ length: 1_234 }, () => ({ ...row, at: old, action: 'old.act', target: 'x' })))
      .execute();
    expect(await pruneAudit(admin(), { before: new Date('2020-01-02') })).toBe(1_234);
    expect((await list({ account_id })).items.map(({ action }) => action)).toEqual(['account.create']);
    expect(await newest()).toMatchObject({ action: 'audit.prune', details: { before: { rows: 1_234 } } });
    expect(await pruneAudit(admin(), { before: new Date('2020-01-02') })).toBe(0);
  });

  test('is refused for the last 30 days, and to resellers', async () => {
    const before = new Date(Date.now() - 29 * 86_400_000);
    await expectRefusal(pruneAudit(admin(), { before }), 'invalid');
    const reseller = await addReseller(database.db);
    await expectRefusal(pruneAudit(reseller, { before: new Date(0) }), 'forbidden');
  });
});
