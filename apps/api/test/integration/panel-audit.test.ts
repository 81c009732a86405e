import { deleteAccountRows, inTransaction } from '@innkeeper/db';
import { createReseller } from '@innkeeper/services';
import { beforeAll, expect, it } from 'vitest';
import { STAFF_PASSWORD as password, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
let reseller: PageVisitor;
let other: PageVisitor;
let accountId: number;
beforeAll(async () => {
  await createReseller(rig.operator, { username: 'other', email: 'other@example.com', password });
  admin = await signedIn(rig, 'root-admin');
  reseller = await signedIn(rig, 'acme');
  other = await signedIn(rig, 'other');
  accountId = (await rig.createAccount({ username: 'watched' }, rig.resellerToken)).id;
  await rig.ask('suspendAccount', { id: accountId });
});

it('an entry shows user, action, account, token, address and the changed fields', async () => {
  const { text } = await admin.open('/audit?account=watched&action=account.suspend');
  expect(text).toContain('root-admin suspended watched . with the API token test · from 127.0.0.1');
  expect(text).toContain('status: active, now suspended');
  expect(text).not.toContain('created the account');
});

it('filters by account, user, action and day, which links to older entries keep', async () => {
  expect((await admin.open(`/audit?account=${accountId}`)).text).toContain('created the account');
  expect((await admin.open('/audit?user=acme')).text).toContain('created the account');
  expect((await admin.open('/audit?user=acme')).text).not.toContain('suspended watched');
  expect((await admin.open('/audit?action=node.')).text).toContain('added the server');
  expect((await admin.open('/audit?since=2020-01-01')).text).toContain('created the account');
  expect((await admin.open('/audit?since=2999-01-01')).text).toContain('No entry matches.');
  expect((await admin.open('/audit?until=2020-01-01')).text).toContain('No entry matches.');
  expect((await admin.open('/audit?until=2999-01-01')).text).toContain('created the account');
  expect((await admin.open('/audit?until=yesterday')).status).toBe(422);
});

it('a wrong filter has its error at its field', async () => {
  const { status, text } = await admin.open(
    '/audit?account=nobody1&user=nobody2&action=A%25&since=yesterday',
  );
  expect(status).toBe(422);
  for (const sentence of [
    'There is no account with this name.',
    'There is no user with this name.',
    'Enter an action or its beginning',
    'Enter a date such as 2026-11-21.',
  ])
    expect(text).toContain(sentence);
});

it('pages of older entries show each entry once', async () => {
  const at = new Date();
  const rows = Array.from({ length: 120 }, (_, index) => ({
    at,
    request_id: 'r',
    user_id: null,
    token_id: null,
    address: 'innctl',
    action: 'test.entry',
    account_id: null,
    target: `entry:${index}`,
    details: JSON.stringify({ name: `entry-${index}` }),
  }));
  await rig.db.insertInto('audit_log').values(rows).execute();
  const seen: string[] = [];
  let path: string | undefined = '/audit?action=test.&before=x';
  for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
    const { html } = await admin.open(path);
    seen.push(...(html.match(/entry-\d+/g) ?? []));
    path = /href="([^"]+)"[^>]*>Older/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen).toEqual(rows.map((_, index) => `entry-${index}`).reverse());
});

it('a reseller sees its own actions and those on its accounts, without the addresses of others', async () => {
  const own = await reseller.open('/audit');
  expect(own.text).toContain('acme created the account watched');
  expect(own.text).toContain('root-admin suspended watched');
  expect(own.text).not.toContain('added the server');
  const suspended = await reseller.open('/audit?action=account.suspend');
  expect(suspended.text).not.toContain('127.0.0.1');
  const foreign = await other.open('/audit');
  expect(foreign.text).not.toContain('watched');
  expect((await other.open(`/audit?account=${accountId}`)).text).toContain('No entry matches.');
  expect((await other.open('/audit?account=watched')).status).toBe(422);
});

it('what an operator does as a customer is told of both, and to the customer as the provider’s', async () => {
  const { id } = await rig.createAccount({ username: 'insider' });
  await admin.open(`/accounts/${id}`);
  const { path: as } = await admin.send(`/accounts/${id}/log-in`);
  await admin.send(`${as}cron`, { name: 'Nightly', schedule: '@daily', command: 'php x.php' });
  const { text } = await admin.open(as);
  expect(text).toContain('Scheduled task Nightly was added. your provider');
  await admin.send(`${as}return`);
  const log = await admin.open('/audit?account=insider');
  expect(log.text).toContain('root-admin, as insider added the scheduled task Nightly to insider');
  expect(log.text).toContain('root-admin, as insider signed in.');
  expect((await admin.open('/audit?user=root-admin&action=cron-job.')).text).toContain(
    'root-admin, as insider',
  );
});

it('a removed account keeps its name, and the filters find it by name', async () => {
  const { id } = await rig.createAccount({ username: 'finished' });
  const account = rig.db.selectFrom('accounts').selectAll().where('id', '=', id);
  const former = await account.executeTakeFirstOrThrow();
  await inTransaction(rig.db, (trx) => deleteAccountRows(trx, former, new Date()));
  const { text, html } = await admin.open('/audit?account=finished');
  expect(text).toContain('created the account finished');
  expect(html).toContain(`<a href="/audit?account=${id}">finished (removed)</a>`);
  expect(html).not.toContain(`href="/accounts/${id}"`);
  expect((await admin.open('/audit?user=finished')).status).toBe(200);
  expect((await reseller.open('/audit?account=finished')).status).toBe(422);
});

it('the entries of the filters are exported as CSV, each once, without formulas', async () => {
  const link = (await admin.open('/audit?account=watched')).html;
  expect(link).toContain('href="/audit/export.csv?account=watched"');
  const { headers, html } = await admin.open('/audit/export.csv?account=watched');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = html.split('\r\n');
  expect(lines[0]).toBe(
    'id,at,user,as_user,token,address,action,target,account_id,account,request_id,details',
  );
  expect(lines.slice(1, -1).map((line) => line.split(',')[6])).toEqual(['account.suspend', 'account.create']);
  expect(lines[1]).toContain(',root-admin,,test,127.0.0.1,account.suspend,');
  const row = {
    request_id: 'r',
    user_id: null,
    token_id: null,
    address: '=1+1',
    account_id: null,
    details: '{}',
  };
  const many = Array.from({ length: 2_100 }, () => ({
    ...row,
    at: new Date(),
    action: 'many.entry',
    target: 'x',
  }));
  await rig.db.insertInto('audit_log').values(many).execute();
  const all = (await admin.open('/audit/export.csv?action=many.')).html.trim().split('\r\n').slice(1);
  expect([all.length, new Set(all.map((line) => line.split(',')[0])).size]).toEqual([2_100, 2_100]);
  expect(all[0]).toContain(",'=1+1,");
  expect((await admin.open('/audit/export.csv?since=yesterday')).path).toBe('/audit?since=yesterday');
  const own = await reseller.open('/audit/export.csv');
  expect(own.html).toContain('account.suspend');
  expect(own.html).not.toContain('node.add');
  expect((await new PageVisitor(rig.origin).open('/audit/export.csv')).path).toMatch(/^\/login/);
});
