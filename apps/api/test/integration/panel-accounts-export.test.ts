import { createAdmin } from '@innkeeper/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { newCustomer } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
beforeAll(async () => {
  await createAdmin(rig.operator, { username: 'ada', email: 'ada@example.com', password: 'correct horse' });
  admin = new PageVisitor(rig.origin);
  await admin.signIn('ada', 'correct horse');
});

describe('the export of accounts', () => {
  it('has a line for each account, with what the REST API names and without formulas', async () => {
    const first = await rig.createAccount();
    const evil = await rig.createAccount({ email: '=1+1@example.com' });
    const { status, headers, html } = await admin.open('/accounts/export.csv');
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="accounts.csv"',
    ]);
    const lines = html.split('\r\n');
    expect(lines[0]).toBe('id,username,email,status,package,primary_domain,created_at,node');
    expect(lines.find((line) => line.startsWith(`${first.id},`))).toMatch(
      /,active,[^,]+,,20\d\d-[^,]+Z,web1$/,
    );
    expect(lines.find((line) => line.startsWith(`${evil.id},`))).toContain(",'=1+1@example.com,");
    expect(lines.at(-1)).toBe('');
  });

  it('has the filters of the list, which links to it', async () => {
    const { id } = await rig.createAccount();
    const { username } = (await rig.ask('getAccount', { id })).body.data;
    const found = await admin.open(`/accounts?q=${username}`);
    expect(found.html).toContain(`href="/accounts/export.csv?q=${username}"`);
    const { html } = await admin.open(`/accounts/export.csv?q=${username}`);
    expect(html.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining(`${id},${username},`)]);
    const none = await admin.open('/accounts/export.csv?status=nothing');
    expect(none.html.trim().split('\r\n')).toHaveLength(1);
  });

  it('is for operators only', async () => {
    const { visitor } = await newCustomer(rig);
    expect((await visitor.open('/accounts/export.csv')).status).toBe(404);
    expect((await new PageVisitor(rig.origin).open('/accounts/export.csv')).path).toMatch(/^\/login/);
  });
});
