import { decodeJoinToken } from '@innkeeper/protocol/identity';
import { startSimulatedNode, waitUntil } from '@innkeeper/testkit';
import { beforeAll, expect, it } from 'vitest';
import { STAFF_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { PageVisitor, unescaped } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
});

async function nodeNamed(name: string) {
  const nodes = rig.db.selectFrom('nodes').selectAll().where('name', '=', name);
  return await nodes.executeTakeFirst();
}

it('the list shows servers with their state, version and allocated resources', async () => {
  await rig.createAccount({ username: 'lodger', package_id: rig.packages.small });
  const { status, text } = await admin.open('/nodes');
  expect(status).toBe(200);
  expect(text).toContain('web1 active');
  expect(text).toMatch(/Disk space 1,000 MB of [\d,.]+ GB/);
  const { id } = (await nodeNamed('web1')) ?? {};
  expect((await admin.open(`/nodes/${id}`)).text).toContain('The server takes new accounts.');
  expect((await admin.open(`/accounts?node=${id}`)).text).toContain('lodger');
});

it('the page warns of plain HTTP and of domains that overlap reserved names', async () => {
  expect((await admin.open('/nodes')).html).not.toContain('aria-label="Warnings"');
  const { body } = await rig.ask('listAccounts', {});
  const hosting_account_id = body.data[0].id;
  const domain = { hosting_account_id, domain_name: 'shop.panel.example.com' };
  expect((await rig.ask('createDomain', { body: domain })).body.errors).toEqual({
    domain_name: [
      'The domain name is reserved: it is a name of the provider, or a parent or subdomain of one.',
    ],
  });
  expect((await rig.ask('createDomain', { body: { ...domain, allow_overlap: true } })).status).toBe(201);
  const { text, html } = await admin.open('/nodes');
  expect(html).toContain('aria-label="Warnings"');
  expect(text).toMatch(/The domain shop\.panel\.example\.com of the account \S+ overlaps the reserved name/);
  const plain = await rig.addInstance({ isPlainAllowed: true });
  const visitor = new PageVisitor(plain.origin);
  await visitor.signIn('root-admin', STAFF_PASSWORD);
  expect((await visitor.open('/nodes')).text).toContain(
    'INNKEEPER_HTTP_PLAIN allows HTTP without encryption',
  );
});

it('an admin cordons and uncordons a server', async () => {
  const { id } = (await nodeNamed('web1')) ?? {};
  await admin.open(`/nodes/${id}`);
  const cordoned = await admin.send(`/nodes/${id}/cordon`);
  expect(cordoned.text).toContain('web1 takes no new accounts.');
  expect(cordoned.text).toContain('The server serves its accounts and takes no new ones.');
  expect(await nodeNamed('web1')).toMatchObject({ state: 'cordoned' });
  expect((await admin.send(`/nodes/${id}/uncordon`)).text).toContain('web1 takes new accounts again.');
  expect(await nodeNamed('web1')).toMatchObject({ state: 'active' });
});

it('the page shows a jump of the capacity until an admin accepts it, and an admin can set the capacity', async () => {
  const { id, memory_bytes } = (await nodeNamed('web1')) ?? {};
  const known = Number(memory_bytes) / 16;
  const jump = { known_memory_bytes: known, capacity_jumped_at: new Date() };
  await rig.db.updateTable('nodes').set(jump).where('name', '=', 'web1').execute();
  expect((await admin.open('/nodes')).text).toContain('web1 reports more than four times its known memory');
  const { text } = await admin.open(`/nodes/${id}`);
  expect(text).toContain('Unexpected capacity');
  expect(text).toContain('Known memory 4 GB');
  expect(text).toMatch(/Memory [\d,.]+(?: MB)? of 16 GB/);
  const accepted = await admin.send(`/nodes/${id}/accept-capacity`);
  expect(accepted.text).toContain('The reported capacity of web1 is accepted.');
  expect(accepted.text).not.toContain('Unexpected capacity');
  expect(accepted.text).toMatch(/Memory [\d,.]+(?: MB)? of 64 GB/);

  const refused = await admin.send(`/nodes/${id}/capacity`, { memory_mb: 'much', disk_mb: '0' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('Memory for accounts');
  expect(refused.text).toContain('enter a size, such as 5 GB');
  const tooSmall = await admin.send(`/nodes/${id}/capacity`, { memory_mb: '', disk_mb: '0' });
  expect(tooSmall.text).toContain('Disk space must be at least 1 MB.');
  const saved = await admin.send(`/nodes/${id}/capacity`, { memory_mb: '2 GB', disk_mb: '' });
  expect(saved.text).toContain('The capacity of web1 is saved.');
  expect(saved.text).toMatch(/Memory [\d,.]+(?: MB)? of 2 GB/);
  expect(await nodeNamed('web1')).toMatchObject({ allocatable_memory_mb: 2048, allocatable_disk_mb: null });
  await admin.send(`/nodes/${id}/capacity`, { memory_mb: '', disk_mb: '' });
  expect(await nodeNamed('web1')).toMatchObject({ allocatable_memory_mb: null });
});

it('a new server has a join command, shown once', async () => {
  await admin.open('/nodes/new');
  const refused = await admin.send('/nodes/new', { name: 'not a name', address: 'nowhere' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('Name must be 1-63 letters');
  expect(refused.text).toContain('Address must be an IPv4 or IPv6 address');
  expect((await admin.send('/nodes/new', { name: 'web1', address: '192.0.2.9' })).text).toContain(
    'Name is already taken.',
  );
  const { html } = await admin.send('/nodes/new', { name: 'web2', address: '192.0.2.11' });
  const token = tokenIn(html);
  expect(decodeJoinToken(token)).toMatchObject({ node: 'web2', ca: rig.nats.keys.authority.fingerprint });
  const { id } = (await nodeNamed('web2')) ?? {};
  expect((await admin.open(`/nodes/${id}`)).text).toContain('The server has not joined yet');
  expect(admin.page.html).not.toContain(token);
  const control = decodeJoinToken(token).control ?? '';
  const node = await startSimulatedNode({ control, joinToken: token });
  try {
    await waitUntil('web2 has joined', async () =>
      (await admin.open(`/nodes/${id}`)).text.includes('The server takes new accounts.'),
    );
  } finally {
    await node.stop();
  }
});

function tokenIn(html: string): string {
  const command = /id="join-command"[^>]* value="([^"]+)"/.exec(html)?.[1] ?? '';
  const [, control, token = ''] =
    /^\.\/install\.sh --control (\S+) --join-token-file - <<< '([\w.-]+)'$/.exec(unescaped(command)) ?? [];
  expect(control).toMatch(/^127\.0\.0\.1:\d+$/);
  return token;
}

it("the page shows a server's warnings, each with the next step", async () => {
  await admin.open('/nodes/new');
  const token = tokenIn((await admin.send('/nodes/new', { name: 'weak1', address: '192.0.2.13' })).html);
  const { id } = (await nodeNamed('weak1')) ?? {};
  const node = await startSimulatedNode({
    control: decodeJoinToken(token).control ?? '',
    joinToken: token,
  });
  const beat = (warnings: string[]) =>
    node.call('Heartbeat', {
      session_id: node.sessionId,
      accounts: 0,
      accounts_failed: 0,
      warnings,
      figures: {},
      settings_generation: '0',
      settings_problem: '',
    });
  try {
    expect((await admin.open(`/nodes/${id}`)).text).not.toContain('Warnings');
    await beat(['FIREWALL_MISSING', 'OF_A_NEWER_AGENT']);
    const { text } = await admin.open(`/nodes/${id}`);
    expect(text).toContain('The firewall of accounts is not in place');
    expect(text).toContain('systemctl status innkeeper-firewall');
    expect(text).toContain('The server reports OF_A_NEWER_AGENT, which this release');
    expect((await admin.open('/nodes')).text).toMatch(/weak1 active\s+2 warnings/);
    await expect(beat(['<b>no code</b>'])).rejects.toThrow(/warnings/);
    await expect(beat(Array(33).fill('FOLDER_OPEN'))).rejects.toThrow(/warnings/);
    await beat([]);
    expect((await admin.open(`/nodes/${id}`)).text).not.toContain('Warnings');
  } finally {
    await node.stop();
  }
});

it('a new join command makes the previous one invalid', async () => {
  await admin.open('/nodes/new');
  const first = tokenIn((await admin.send('/nodes/new', { name: 'web3', address: '192.0.2.12' })).html);
  const { id } = (await nodeNamed('web3')) ?? {};
  const second = tokenIn((await admin.send(`/nodes/${id}/join-token`)).html);
  expect(second).not.toBe(first);
  const control = decodeJoinToken(first).control ?? '';
  await expect(startSimulatedNode({ control, joinToken: first })).rejects.toThrow();
  const node = await startSimulatedNode({ control, joinToken: second });
  await node.stop();
});

it('an admin removes a server only if it has no accounts', async () => {
  await admin.open('/nodes/new');
  await admin.send('/nodes/new', { name: 'web9', address: '192.0.2.19' });
  const { id } = (await nodeNamed('web9')) ?? {};
  const removed = await admin.send(`/nodes/${id}/remove`);
  expect([removed.path, removed.text]).toEqual(['/nodes', expect.stringContaining('web9 was removed')]);
  expect(await nodeNamed('web9')).toBe(undefined);
  const full = await nodeNamed('web1');
  expect((await admin.open(`/nodes/${full?.id}`)).html).not.toContain(`/nodes/${full?.id}/remove`);
  const refused = await admin.send(`/nodes/${full?.id}/remove`);
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('Node "web1" still has 1 account.'),
  ]);
});

it('only admins can use these pages', async () => {
  const web1 = await nodeNamed('web1');
  const reseller = await signedIn(rig, 'acme');
  for (const path of ['/nodes', '/nodes/new', `/nodes/${web1?.id}`])
    expect((await reseller.open(path)).status, path).toBe(404);
  for (const verb of ['cordon', 'uncordon', 'remove', 'join-token', 'capacity', 'accept-capacity']) {
    await reseller.open('/accounts');
    expect((await reseller.send(`/nodes/${web1?.id}/${verb}`)).status, verb).toBe(404);
  }
  expect(await nodeNamed('web1')).toEqual({ ...web1, last_seen_at: expect.any(Date) });
  expect((await admin.open('/nodes/424242')).status).toBe(404);
});
