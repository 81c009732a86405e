import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subjects } from '@innkeeper/protocol';
import { decodeJoinToken } from '@innkeeper/protocol/identity';
import { readSealingKeys } from '@innkeeper/protocol/keys';
import {
  authenticateToken,
  builtInAppTemplates,
  createAccount,
  createApp,
  createSealer,
  noNameGuard,
  type OperatorContext,
} from '@innkeeper/services';
import {
  createTestDatabase,
  startTestNats,
  type TestDatabase,
  type TestNats,
  waitUntil,
} from '@innkeeper/testkit';
import { connect, credsAuthenticator } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';

const password = 'correct horse battery';

let database: TestDatabase;
let nats: TestNats;
let dir: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  [database, nats] = await Promise.all([createTestDatabase({ migrated: false }), startTestNats()]);
  dir = mkdtempSync(join(tmpdir(), 'innctl-'));
  env = {
    INNKEEPER_DATABASE_URL: database.url,
    INNKEEPER_KEYS_DIR: nats.keysDir,
    INNKEEPER_PUBLIC_HOST: 'panel.test,10.77.0.1',
    INNKEEPER_GRPC_ADDRESS: '0.0.0.0:9444',
    INNKEEPER_NATS_URL: nats.url,
  };
  expect((await run('migrate')).exitCode).toBe(0);
});
afterAll(async () => {
  await Promise.all([database.drop(), nats.remove()]);
  rmSync(dir, { recursive: true });
});

const run = (...args: string[]) => runCommand(args, { env });
const runWithPassword = (...args: string[]) =>
  runCommand([...args, '--password-file', '-'], { env, stdin: `${password}\n` });

const connectToNats = () =>
  connect({
    servers: nats.url,
    tls: { ca: nats.keys.authority.certificatePem },
    authenticator: credsAuthenticator(nats.keys.natsCredentials),
  });

async function lastAudit() {
  return database.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
}

const packageLimits = Object.entries({
  'disk-mb': 1_024,
  'bandwidth-mb': 10_240,
  'cpu-percent': 50,
  'ram-mb': 512,
  'max-domains': 1,
  'max-databases': 1,
  'max-apps': 1,
  'max-cron-jobs': 5,
}).flatMap(([flag, value]) => [`--${flag}`, String(value)]);

it('a second migrate changes nothing', async () => {
  expect(await run('migrate')).toMatchObject({ exitCode: 0, out: 'The schema is up to date.' });
  expect((await run('migrate', '--json')).json()).toEqual({ migrations: [] });
});

describe('admin create', () => {
  it('reads the password from standard input, writes an audit row and shows no secret', async () => {
    const args = ['admin', 'create', '--username', 'Admin', '--email', 'admin@example.com', '--json'];
    const result = await runWithPassword(...args);
    expect(result.exitCode).toBe(0);
    expect(result.json()).toMatchObject({ username: 'admin', role: 'admin', email: 'admin@example.com' });
    expect(await lastAudit()).toMatchObject({
      action: 'admin.create',
      address: 'innctl',
      user_id: null,
      token_id: null,
    });
    const everything = JSON.stringify([result.out, result.err, (await lastAudit()).details]);
    expect(everything).not.toContain(password);
    expect(everything).not.toContain('argon2');
  });

  it('reads the password from a file', async () => {
    const file = join(dir, 'password');
    writeFileSync(file, password);
    const args = ['--username', 'second', '--email', 'second@example.com', '--password-file', file];
    expect(await run('admin', 'create', ...args)).toMatchObject({ exitCode: 0, err: '' });
  });

  it('refuses a name that exists, and names the field', async () => {
    const result = await runWithPassword(
      'admin',
      'create',
      '--username',
      'admin',
      '--email',
      'x@example.com',
    );
    expect(result).toMatchObject({ exitCode: 1, out: '' });
    expect(result.err).toMatch(/^innctl: username: /);
  });

  it.each([
    ['', /^innctl: Standard input is empty/],
    ['one\ntwo\n', /^innctl: Standard input has more than one line/],
  ])('refuses the password %j', async (stdin, message) => {
    const args = ['admin', 'create', '--username', 'third', '--email', 'third@example.com'];
    const result = await runCommand([...args, '--password-file', '-'], { env, stdin });
    expect(result.exitCode).toBe(2);
    expect(result.err).toMatch(message);
  });

  it('names an unreadable password file', async () => {
    const args = ['admin', 'create', '--username', 'third', '--email', 'third@example.com'];
    const result = await run(...args, '--password-file', join(dir, 'nowhere'));
    expect(result).toMatchObject({ exitCode: 2 });
    expect(result.err).toContain('nowhere is not readable (ENOENT)');
  });
});

describe('mail-relay', () => {
  it('is set with a password from standard input, shown without it, and removed', async () => {
    const password = 'a relay password that nobody may read';
    expect((await run('mail-relay')).out).toContain('none: accounts send no mail');
    const set = await runCommand(
      ['mail-relay', 'set', '--host', 'relay.example.com', '--username', 'hoster', '--password-file', '-'],
      { env, stdin: `${password}\n` },
    );
    expect(set).toMatchObject({ exitCode: 0 });
    const shown = await run('mail-relay', 'show');
    expect(shown.out).toContain('relay.example.com:587 (starttls, as hoster)');
    const all = [set.out, shown.out, (await run('mail-relay', 'show', '--json')).out].join();
    expect(all).not.toContain(password);
    const plain = await run(
      'mail-relay',
      'set',
      '--host',
      'relay.example.com',
      '--encryption',
      'none',
      '--username',
      'x',
    );
    expect(plain.exitCode).toBe(1);
    expect(await run('mail-relay', 'remove')).toMatchObject({ exitCode: 0 });
    expect((await run('mail-relay')).out).toContain('none: accounts send no mail');
  });
});

describe('package', () => {
  it('is created, and the list aligns its numbers right', async () => {
    const created = await run('package', 'create', '--name', 'Starter', ...packageLimits, '--json');
    expect(created.json()).toMatchObject({ name: 'Starter', slug: 'starter', disk_mb: 1_024, iops: null });
    const args = ['--name', 'Custom', ...packageLimits, '--internal', '--terminal-access'];
    expect(await run('package', 'create', ...args)).toMatchObject({ exitCode: 0 });
    const { out } = await run('package', 'list');
    expect(out).toMatch(/^ID {2}NAME +DISK MiB/);
    expect(out).toMatch(/Starter +1024 +10240 +50 +512 +no +100 +500 +closed +admin +0$/m);
    expect(out).toMatch(/Custom .* yes +100 +500 +closed +nobody \(internal\)/);
    expect((await run('package', 'list', '--json')).json()).toHaveLength(2);
  });

  it('has limits of mail, which its accounts follow', async () => {
    const limits = ['--mail-per-hour', '20', '--mail-per-day', '0'];
    const made = await run('package', 'create', '--name', 'Letters', ...packageLimits, ...limits, '--json');
    const { id } = made.json();
    expect((await run('package', 'list')).out).toMatch(/Letters .* 20 +0 +closed/);
    const set = await run('package', 'mail', String(id), '--per-hour', '5', '--per-day', '50');
    expect(set.out).toContain('Accounts of package Letters may send to 5 recipients an hour and 50 a day.');
    expect((await run('package', 'list')).out).toMatch(/Letters .* 5 +50 +closed/);
    expect((await run('package', 'mail', String(id), '--per-hour', '-1', '--per-day', '5')).exitCode).toBe(2);
  });

  it('has port 25 closed until an option or an update opens it', async () => {
    const open = await run(
      'package',
      'create',
      '--name',
      'Mail',
      ...packageLimits,
      '--smtp-port-25',
      '--json',
    );
    const { id, smtp_port_25 } = open.json();
    expect(smtp_port_25).toBe(true);
    const update = (...args: string[]) => run('package', 'update', String(id), ...args);
    expect(await update('--smtp-port-25', 'closed')).toMatchObject({ exitCode: 0 });
    expect((await run('package', 'list')).out).toMatch(/Mail .* closed +admin/);
    expect((await update('--smtp-port-25', 'open')).out).toContain('Port 25 is open for package Mail.');
    expect((await run('package', 'list')).out).toMatch(/Mail .* open +admin/);
    expect((await update('--smtp-port-25', 'ajar')).exitCode).toBe(2);
    expect((await update()).exitCode).toBe(2);
    expect((await run('package', 'update', '999999', '--smtp-port-25', 'open')).exitCode).toBe(1);
  });

  it('refuses fractions, and limits out of bounds', async () => {
    const wrong = packageLimits.with(1, '12.5');
    expect(await run('package', 'create', '--name', 'X', ...wrong)).toMatchObject({ exitCode: 2 });
    const tooSmall = await run('package', 'create', '--name', 'X', ...packageLimits.with(1, '0'));
    expect(tooSmall.exitCode).toBe(1);
    expect(tooSmall.err).toMatch(/^innctl: disk_mb: /);
  });
});

describe('reseller', () => {
  it('gets pool limits one by one, and packages to sell', async () => {
    const args = ['--username', 'reseller', '--email', 'reseller@example.com'];
    expect(await runWithPassword('reseller', 'create', ...args)).toMatchObject({ exitCode: 0 });
    const first = await run(
      'reseller',
      'pool',
      'reseller',
      '--disk-mb',
      '5000',
      '--max-accounts',
      '3',
      '--json',
    );
    expect(first).toMatchObject({ exitCode: 0, err: '' });
    expect(first.json()).toMatchObject({ disk_mb: 5_000, max_accounts: 3, ram_mb: null, overselling: false });
    const second = await run('reseller', 'pool', 'reseller', '--disk-mb', 'none', '--overselling', '--json');
    expect(second.json()).toMatchObject({ disk_mb: null, max_accounts: 3, overselling: true });
    expect((await run('reseller', 'pool', 'reseller')).out).toMatch(/max accounts +3 +0/);
    const [starter] = (await run('package', 'list', '--json')).json();
    const assigned = await run('package', 'assign', String(starter.id), '--reseller', 'reseller');
    expect(assigned).toMatchObject({ exitCode: 0 });
    expect((await run('package', 'list')).out).toContain('admin,reseller');
  });

  it('that does not exist is refused', async () => {
    expect(await run('reseller', 'pool', 'nobody-here')).toMatchObject({ exitCode: 1 });
    for (const verb of ['suspend', 'unsuspend', 'delete', 'password-link'])
      expect(await run('reseller', verb, 'nobody-here')).toMatchObject({ exitCode: 1, out: '' });
  });

  it('gets a link that sets its password once', async () => {
    const { out, err } = await run('reseller', 'password-link', 'reseller');
    expect(out).toMatch(/^https?:\/\/panel\.test(?::\d+)?\/password\/link\/[\w-]{43}$/);
    expect(err).toContain('48 hours');
    expect(await lastAudit()).toMatchObject({ action: 'reseller.password-link', address: 'innctl' });
    expect(JSON.stringify(await lastAudit())).not.toContain(out.split('/').at(-1));
  });

  it('is suspended and unsuspended, handed over and deleted', async () => {
    expect((await run('reseller', 'suspend', 'reseller')).out).toBe('Reseller reseller is suspended.');
    expect((await run('reseller', 'list')).out).toMatch(/reseller@example\.com +0 +3 +suspended/);
    expect(await run('reseller', 'password-link', 'reseller')).toMatchObject({ exitCode: 1 });
    expect(await run('reseller', 'unsuspend', 'reseller')).toMatchObject({ exitCode: 0 });
    expect(await run('reseller', 'hand-over', 'reseller')).toMatchObject({ exitCode: 2 });
    const both = ['--to', 'admin', '--to-self'];
    expect(await run('reseller', 'hand-over', 'reseller', ...both)).toMatchObject({ exitCode: 2 });
    const handed = await run('reseller', 'hand-over', 'reseller', '--to-self', '--json');
    expect(handed.json()).toMatchObject({ total: 0, token_ids: [] });
    expect(await run('reseller', 'delete', 'reseller')).toMatchObject({ exitCode: 0, err: '' });
    expect(await lastAudit()).toMatchObject({ action: 'reseller.delete', user_id: null });
    expect((await run('reseller', 'list')).out).not.toContain('reseller@example.com');
  });
});

describe('staff', () => {
  const person = ['--username', 'helper', '--email', 'helper@example.com', '--role', 'support'];

  it('is invited with a link, which no other output shows', async () => {
    const { out } = await run('staff', 'invite', ...person);
    expect(out).toMatch(/^https?:\/\/panel\.test(?::\d+)?\/invitation\/\d+\?expires=\d+&signature=[\w-]+$/);
    expect((await run('staff', 'list')).out).toMatch(/helper@example\.com +support +invited +off/);
    const again = await run('staff', 'link', 'helper');
    expect(again.out).not.toBe(out);
    const signature = new URL(again.out).searchParams.get('signature');
    expect(JSON.stringify(await lastAudit())).not.toContain(signature);
  });

  it('gets another role, is disabled, enabled and removed', async () => {
    expect((await run('staff', 'set-role', 'helper', 'read_only', '--json')).json()).toMatchObject({
      role: 'read_only',
    });
    expect(await run('staff', 'set-role', 'helper', 'king')).toMatchObject({ exitCode: 2 });
    expect((await run('staff', 'disable', 'helper', '--json')).json()).toMatchObject({ status: 'disabled' });
    expect(await run('staff', 'enable', 'helper')).toMatchObject({ exitCode: 0 });
    expect(await run('staff', 'remove', 'helper')).toMatchObject({ exitCode: 0, err: '' });
    expect(await lastAudit()).toMatchObject({ action: 'staff.remove', address: 'innctl' });
    expect(await run('staff', 'disable', 'helper')).toMatchObject({ exitCode: 1 });
  });
});

describe('token', () => {
  it('works, is shown once, and its list entry does not contain it', async () => {
    const args = ['token', 'create', '--user', 'admin', '--name', 'billing', '--preset', 'full_access'];
    const { token, ...view } = (await run(...args, '--json')).json();
    expect(view).toMatchObject({ name: 'billing', preset: 'full_access', user: { username: 'admin' } });
    expect(await authenticateToken(database.db, token)).toMatchObject({
      user: { username: 'admin' },
      token: { name: 'billing' },
    });
    const plain = await run(...args);
    expect(plain.out).toMatch(/^ik_[0-9A-Za-z]+$/);
    const { out } = await run('token', 'list');
    expect(out).toMatch(/billing +full_access +any +- +never +active/);
    expect(out).not.toContain('ik_');
  });

  it('can have single abilities and allowed addresses', async () => {
    const args = ['--ability', 'accounts:read', '--ability', 'domains:read', '--allowed-ips', '10.0.0.0/8'];
    const made = await run('token', 'create', '--user', 'admin', '--name', 'reader', ...args, '--json');
    expect(made.json()).toMatchObject({
      abilities: ['accounts:read', 'domains:read'],
      allowed_ips: ['10.0.0.0/8'],
    });
  });

  it('can expire, and is refused from then on', async () => {
    const args = ['--name', 'short', '--preset', 'read_only', '--expires-in-days', '7', '--json'];
    const { token, id, expires_at } = (await run('token', 'create', '--user', 'admin', ...args)).json();
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect(await authenticateToken(database.db, token)).not.toBeNull();
    const past = new Date(Date.now() - 1_000);
    await database.db.updateTable('api_tokens').set({ expires_at: past }).where('id', '=', id).execute();
    expect(await authenticateToken(database.db, token)).toBeNull();
    expect((await run('token', 'list')).out).toMatch(/short .+ expired/);
  });

  it('is refused after its revocation, and every API instance gets a message', async () => {
    const made = await run(
      'token',
      'create',
      '--user',
      'admin',
      '--name',
      'old',
      '--preset',
      'read_only',
      '--json',
    );
    const { id, token } = made.json();
    const listener = await connectToNats();
    const messages: unknown[] = [];
    listener.subscribe(subjects.tokenRevoked, {
      callback: (_, message) => void messages.push(message.json()),
    });
    await listener.flush();
    expect(await run('token', 'revoke', String(id))).toMatchObject({ exitCode: 0, err: '' });
    await waitUntil('the message', () => messages.length > 0);
    await listener.close();
    expect(messages).toEqual([{ token_id: id }]);
    expect(await authenticateToken(database.db, token)).toBeNull();
  });

  it('can be revoked without NATS, with a warning about the delay', async () => {
    const made = await run(
      'token',
      'create',
      '--user',
      'admin',
      '--name',
      'o',
      '--preset',
      'read_only',
      '--json',
    );
    const result = await runCommand(['token', 'revoke', String(made.json().id)], {
      env: { ...env, INNKEEPER_NATS_URL: '' },
    });
    expect(result.exitCode).toBe(0);
    expect(result.err).toContain('They refuse the token within 5 s');
  });

  it.each([
    [['token', 'revoke', '999999'], 1],
    [['token', 'revoke', 'abc'], 2],
    [['token', 'create', '--user', 'nobody-here', '--name', 'x', '--preset', 'read_only'], 1],
    [['token', 'create', '--user', 'admin', '--name', 'x', '--preset', 'everything'], 2],
    [['token', 'create', '--user', 'admin', '--name', 'x', '--ability', 'root'], 1],
  ])('%j is refused with exit code %i and a reason', async (args, exitCode) => {
    const result = await run(...args);
    expect(result).toMatchObject({ exitCode, out: '' });
    expect(result.err).not.toBe('');
  });
});

describe('node', () => {
  it('is added with a join token that has the address and the CA of this control plane', async () => {
    const result = await run('node', 'add', 'web1', '--address', '10.77.0.11', '--json');
    const added = result.json();
    expect(added).toMatchObject({ name: 'web1', address: '10.77.0.11', state: 'new' });
    expect(decodeJoinToken(added.join_token)).toMatchObject({
      node: 'web1',
      ca: nats.keys.authority.fingerprint,
      control: 'panel.test:9444',
    });
    expect(await lastAudit()).toMatchObject({ action: 'node.add', address: 'innctl' });
  });

  it('gets a new join token on request', async () => {
    const { out } = await run('node', 'join-token', 'web1');
    expect(decodeJoinToken(out).node).toBe('web1');
  });

  it('is listed, shown, cordoned and uncordoned', async () => {
    expect((await run('node', 'list')).out).toMatch(/web1 +10\.77\.0\.11 +new/);
    expect(await run('node', 'cordon', 'web1')).toMatchObject({ exitCode: 0 });
    expect(await run('node', 'set-capacity', 'web1')).toMatchObject({ exitCode: 2 });
    expect(await run('node', 'set-capacity', 'web1', '--disk-mib', 'all')).toMatchObject({ exitCode: 2 });
    expect(await run('node', 'set-capacity', 'web1', '--disk-mib', '0')).toMatchObject({ exitCode: 1 });
    const capacity = await run(
      'node',
      'set-capacity',
      'web1',
      '--memory-mib',
      '2048',
      '--disk-mib',
      '90000',
      '--json',
    );
    expect(capacity.json().allocatable).toEqual({ memory_mb: 2_048, disk_mb: 90_000 });
    const unset = await run('node', 'set-capacity', 'web1', '--disk-mib', 'none', '--json');
    expect(unset.json().allocatable).toEqual({ memory_mb: 2_048, disk_mb: null });
    expect(await run('node', 'accept-capacity', 'web1')).toMatchObject({ exitCode: 0 });
    await database.db
      .updateTable('nodes')
      .set({ warnings: '["FIREWALL_MISSING"]' })
      .where('name', '=', 'web1')
      .execute();
    expect((await run('node', 'show', 'web1')).out).toContain(
      'FIREWALL_MISSING: The firewall of accounts is not in place',
    );
    expect((await run('node', 'show', 'web1', '--json')).json().warnings).toEqual(['FIREWALL_MISSING']);
    expect((await run('node', 'show', 'web1')).out).toMatch(/^state +new, cordoned$/m);
    expect((await run('node', 'uncordon', 'web1', '--json')).json()).toMatchObject({ cordoned: false });
  });

  it('is not added without keys: there is no row without a token', async () => {
    const result = await runCommand(['node', 'add', 'web9', '--address', '10.77.0.19'], {
      env: { ...env, INNKEEPER_KEYS_DIR: join(dir, 'nowhere') },
    });
    expect(result.exitCode).toBe(1);
    expect(result.err).toContain('Make it with: innctl init');
    expect((await run('node', 'show', 'web9')).exitCode).toBe(1);
  });

  it('can be removed once, and only without accounts', async () => {
    const added = (await run('node', 'add', 'web2', '--address', '10.77.0.12', '--json')).json();
    await database.db
      .updateTable('nodes')
      .set({ last_seen_at: new Date(), cpu_count: 8, memory_bytes: 2 ** 36, disk_bytes: 2 ** 40 })
      .where('id', '=', added.id)
      .execute();
    const account = await makeAccount();
    expect(await run('node', 'revoke', 'web2')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--confirm web2'),
    });
    expect(await run('node', 'revoke', 'web2', '--confirm', 'web1')).toMatchObject({ exitCode: 2 });
    const revoked = await run('node', 'revoke', 'web2', '--confirm', 'web2');
    expect(revoked).toMatchObject({ exitCode: 0, err: '' });
    expect(revoked.out).toContain('innctl node join-token web2');
    expect(revoked.out).toContain('the secrets of its 1 accounts');
    expect((await run('audit', '--json')).json().items).toContainEqual(
      expect.objectContaining({ action: 'node.revoke' }),
    );
    const refused = await run('node', 'remove', 'web2');
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain('still has 1 account');
    expect(account.node?.name).toBe('web2');
    expect(await run('node', 'remove', 'web1')).toMatchObject({ exitCode: 0 });
    expect(await run('node', 'remove', 'web1')).toMatchObject({ exitCode: 1 });
  });
});

function serviceContext(): OperatorContext {
  return {
    db: database.db,
    actor: { userId: null, role: 'admin', tokenId: null, address: 'test' },
    requestId: 'test',
    now: () => new Date(),
    wakeNode: () => {},
    askNode: async () => undefined,
    refreshUsage: async () => false,
    sealer: createSealer(() => readSealingKeys(nats.keysDir)),
    appTemplates: builtInAppTemplates,
    names: noNameGuard,
  };
}

async function makeAccount() {
  const [{ id: package_id }] = (await run('package', 'list', '--json')).json();
  const { view } = await createAccount(serviceContext(), {
    username: 'alice',
    name: 'Alice',
    email: 'alice@example.com',
    password,
    package_id,
  });
  return view;
}

describe('account', () => {
  it('is listed, and shown by name or ID with the report of its node', async () => {
    expect((await run('account', 'list')).out).toMatch(/alice +active +Starter +web2/);
    const shown = await run('account', 'show', 'alice', '--json');
    expect(shown.json()).toMatchObject({
      username: 'alice',
      observation: { generation: 1, observed_generation: 0, outcome: null, conditions: [] },
    });
    const conditions = JSON.stringify([
      { type: 'web', reason: 'Conflict', message: 'A file is in the way.' },
    ]);
    await database.db.updateTable('accounts').set({ conditions, outcome: 'failed' }).execute();
    const { out } = await run('account', 'show', String(shown.json().id));
    expect(out).toMatch(/^username +alice$/m);
    expect(out).toMatch(/^web +Conflict +A file is in the way\.$/m);
    expect(out).not.toContain('$6$');
  });

  it('that does not exist is refused', async () => {
    expect(await run('account', 'show', 'bob')).toMatchObject({
      exitCode: 1,
      err: 'innctl: There is no account "bob".',
    });
    expect(await run('account', 'show', '999999')).toMatchObject({ exitCode: 1, out: '' });
  });
});

describe('user reset-second-factor', () => {
  it('makes the password sufficient again, or gives the reason why not', async () => {
    const reset = (...args: string[]) => run('user', 'reset-second-factor', ...args);
    expect(await reset('admin')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('admin has no second factor.'),
    });
    expect(await reset('nobody')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('There is no user "nobody".'),
    });
    await database.db
      .updateTable('users')
      .set({ totp_sealed_secret: 'x', totp_confirmed_at: new Date(), totp_last_step: 1 })
      .where('username', '=', 'admin')
      .execute();
    expect((await reset('Admin', '--json')).json()).toMatchObject({ username: 'admin', sessions_ended: 0 });
    const row = await database.db
      .selectFrom('users')
      .select(['totp_sealed_secret', 'totp_confirmed_at'])
      .where('username', '=', 'admin')
      .executeTakeFirst();
    expect(row).toEqual({ totp_sealed_secret: null, totp_confirmed_at: null });
    expect(await lastAudit()).toMatchObject({ action: 'totp.reset', address: 'innctl' });
  });
});

describe('audit', () => {
  it('shows the newest entries first without secrets, filtered by account, user and action', async () => {
    const { out } = await run('audit', '--limit', '5');
    expect(out.split('\n')[0]).toMatch(/^ *ID +TIME +USER +TOKEN +FROM +ACTION +TARGET +ACCOUNT +CHANGE$/);
    expect(out).toMatch(/account\.create +account:\d+ +alice +username: alice, name: Alice/);
    expect(out).toMatch(/^More entries: --before \d+$/m);
    const ofAccount = (await run('audit', 'list', '--account', 'alice', '--json')).json();
    expect(ofAccount.items.map(({ action }: { action: string }) => action)).toEqual(['account.create']);
    expect((await run('audit', '--action', 'token.', '--since', '1h')).out).toContain('token.revoke');
    expect((await run('audit', '--user', 'admin', '--json')).json().items).toEqual([]);
    const everything = JSON.stringify((await run('audit', '--limit', '1000', '--json')).json());
    expect(everything).not.toMatch(/argon2|\$6\$|ik_/);
    expect(everything).not.toContain(password);
  });

  it.each([
    [['--account', 'nobody-at-all'], 1, 'There is no account "nobody-at-all".'],
    [['--user', 'nobody-at-all'], 1, 'There is no user "nobody-at-all".'],
    [['--since', 'yesterday'], 2, 'must be a date'],
    [['--limit', '0'], 2, 'from 1 to 1000'],
  ])('%j is refused', async (args, exitCode, message) => {
    const result = await run('audit', ...args);
    expect(result).toMatchObject({ exitCode, out: '' });
    expect(result.err).toContain(message);
  });

  it('deletes only old entries', async () => {
    expect(await run('audit', 'prune', '--older-than', '400d')).toMatchObject({
      exitCode: 0,
      out: '0 rows were deleted.',
    });
    expect(await run('audit', 'prune', '--older-than', '1d')).toMatchObject({ exitCode: 1, out: '' });
  });
});

describe('settings', () => {
  it('come from the environment, then from the file', async () => {
    const passwordFile = join(dir, 'database-password');
    const url = new URL(database.url);
    writeFileSync(passwordFile, `${decodeURIComponent(url.password)}\n`);
    url.password = '';
    const file = join(dir, 'api.conf');
    writeFileSync(
      file,
      `# Settings\nINNKEEPER_DATABASE_URL=${url.href}\nINNKEEPER_DATABASE_PASSWORD_FILE=${passwordFile}\n`,
    );
    expect(await runCommand(['--config', file, 'token', 'list'])).toMatchObject({ exitCode: 0 });
    const elsewhere = { INNKEEPER_DATABASE_URL: 'mysql://a:b@127.0.0.1:1/c' };
    const failed = await runCommand(['--config', file, 'token', 'list'], { env: elsewhere });
    expect(failed.exitCode).toBe(3);
  });

  it('of an unreachable database give exit code 3, and the message has no password', async () => {
    const result = await runCommand(['node', 'list'], {
      env: { INNKEEPER_DATABASE_URL: 'mysql://innkeeper:hush@127.0.0.1:1/innkeeper' },
    });
    expect(result.exitCode).toBe(3);
    expect(result.err).toMatch(/127\.0\.0\.1:1\/innkeeper cannot be reached/);
    expect(result.err).not.toContain('hush');
  });

  it.each([
    [{}, /INNKEEPER_DATABASE_URL/],
    [{ INNKEEPER_DATABASE_URL: 'postgres://hush@x' }, /must look like mysql:/],
  ])('%j is refused with a reason', async (environment, message) => {
    const result = await runCommand(['node', 'list'], { env: environment });
    expect(result.exitCode).toBe(1);
    expect(result.err).toMatch(message);
    expect(result.err).not.toContain('hush');
  });

  it('a configured settings file must exist', async () => {
    const result = await runCommand(['--config', join(dir, 'nowhere'), 'node', 'list']);
    expect(result).toMatchObject({ exitCode: 1 });
    expect(result.err).toContain('nowhere is not readable');
  });
});

describe('app', () => {
  const reported = async (appId: number, status: 'running' | 'failed', served_release_id: number) => {
    const status_reason = status === 'failed' ? 'The folder\u001b[2J is gone.\nENOENT' : null;
    await database.db
      .updateTable('apps')
      .set({ status, status_reason, served_release_id })
      .where('id', '=', appId)
      .execute();
    await database.db
      .updateTable('accounts')
      .set((eb) => ({ observed_generation: eb.ref('generation') }))
      .execute();
  };
  const wantedRelease = async (appId: number) =>
    (await database.db.selectFrom('apps').select('release_id').where('id', '=', appId).executeTakeFirst())
      ?.release_id;

  it('is listed, shown with its releases, and rolled back', async () => {
    const account = (await run('account', 'show', 'alice', '--json')).json();
    const { view: app } = await createApp(serviceContext(), {
      hosting_account_id: account.id,
      template_key: 'nodejs',
      name: 'Shop',
      env: new Map([['API_KEY', 'very-secret-value']]),
    });
    const at = new Date();
    const releases: number[] = [];
    for (const state of ['served', 'served'] as const) {
      const release = { app_id: app.id, account_id: account.id, source: 'git' as const, state };
      const { insertId } = await database.db
        .insertInto('app_releases')
        .values({ ...release, archive_sha256: null, archive_bytes: null, created_at: at, updated_at: at })
        .executeTakeFirstOrThrow();
      releases.push(Number(insertId));
    }
    const [first = 0, second = 0] = releases;
    await database.db.updateTable('apps').set({ release_id: second }).where('id', '=', app.id).execute();
    await reported(app.id, 'running', second);

    expect((await run('app', 'list', '--account', 'alice')).out).toMatch(/Shop +nodejs +running +-/);
    const { out } = await run('app', 'show', String(app.id));
    expect(out).toMatch(new RegExp(`^ +${second} +git +serving +no `, 'm'));
    expect(out).toMatch(new RegExp(`^ +${first} +git +served +yes `, 'm'));
    expect(out).toMatch(/^variables +NODE_ENV, API_KEY$|^variables +API_KEY, NODE_ENV$/m);
    expect(out).not.toContain('very-secret-value');

    expect(await run('app', 'rollback', String(app.id), '--to', '999999')).toMatchObject({
      exitCode: 1,
      out: '',
    });
    const rollback = run('app', 'rollback', String(app.id), '--to', String(first), '--wait', '60');
    await waitUntil('the rollback', async () => (await wantedRelease(app.id)) === first);
    await reported(app.id, 'running', first);
    expect(await rollback).toMatchObject({ exitCode: 0, out: `App ${app.id} serves release ${first}.` });
    expect((await run('audit', '--action', 'app.rollback')).out).toContain(
      `release_id: ${second} → ${first}`,
    );
  });

  it('shows a pending change, and the reason of a failed rollback', async () => {
    const [app] = (await run('app', 'list', '--json')).json().items;
    const pending = await run('app', 'rollback', String(app.id), '--wait', '0', '--json');
    expect(pending.json()).toMatchObject({ status: 'updating', is_serving: false, is_settled: false });
    const { release } = pending.json();
    const back = await run('app', 'rollback', String(app.id), '--wait', '0');
    expect(back).toMatchObject({ exitCode: 0, out: expect.stringContaining('has not reported it yet') });
    const failing = run('app', 'rollback', String(app.id), '--to', String(release.id));
    await waitUntil('the rollback', async () => (await wantedRelease(app.id)) === release.id);
    await reported(app.id, 'failed', 0);
    expect(await failing).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('is gone.') });
    const shown = await run('app', 'show', String(app.id));
    expect(shown.out).toContain('The folder?[2J is gone.\nENOENT');
  });

  it('shows the newest output of the program, from its node over NATS', async () => {
    const [app] = (await run('app', 'list', '--json')).json().items;
    const away = await run('app', 'log', 'alice/Shop');
    expect(away).toMatchObject({ exitCode: 3, out: '' });
    expect(away.err).toContain(`The hosting server of app ${app.id} does not answer now.`);

    const node = await connectToNats();
    const questions: unknown[] = [];
    let lines = ['one', 'two'];
    const { node_id } = await database.db
      .selectFrom('accounts')
      .select('node_id')
      .where('id', '=', app.hosting_account_id)
      .executeTakeFirstOrThrow();
    node.subscribe(subjects.nodeAsk(node_id, 'app-log'), {
      callback: (_error, message) => {
        questions.push(message.json());
        message.respond(JSON.stringify({ lines }));
      },
    });
    await node.flush();
    expect(await run('app', 'log', 'alice/Shop', '--lines', '2')).toMatchObject({
      exitCode: 0,
      out: 'one\ntwo',
      err: '',
    });
    expect((await run('app', 'log', String(app.id), '--json')).json()).toEqual({ lines: ['one', 'two'] });
    expect(questions).toEqual([
      { account_id: app.hosting_account_id, app_id: app.id, lines: 2 },
      { account_id: app.hosting_account_id, app_id: app.id, lines: 100 },
    ]);
    lines = [];
    expect(await run('app', 'log', `alice/${app.id}`)).toMatchObject({
      exitCode: 0,
      out: '',
      err: 'The program of this app has no output yet.',
    });
    await node.close();
  });

  it.each([
    [['alice/Nothing'], 1, 'There is no app "alice/Nothing". See: innctl app list --account alice'],
    [['nobody/Shop'], 1, 'There is no account "nobody".'],
    [['Shop'], 1, 'Use its id, or ACCOUNT/NAME.'],
    [['999999'], 1, 'There is no app 999999.'],
    [['alice/Shop', '--lines', '1001'], 2, 'from 1 to 1000'],
  ])('log of %j is refused with a reason', async (args, exitCode, message) => {
    const result = await run('app', 'log', ...args);
    expect(result).toMatchObject({ exitCode, out: '' });
    expect(result.err).toContain(message);
  });

  it('log names the missing NATS setting', async () => {
    const log = (url: string) =>
      runCommand(['app', 'log', 'alice/Shop'], { env: { ...env, INNKEEPER_NATS_URL: url } });
    expect(await log('')).toMatchObject({ exitCode: 1, err: 'innctl: INNKEEPER_NATS_URL is not set.' });
    const unreachable = await log('tls://127.0.0.1:1');
    expect(unreachable.exitCode).toBe(3);
    expect(unreachable.err).toMatch(/^innctl: NATS is unreachable \(.+\)\. Check INNKEEPER_NATS_URL\.$/);
  });
});
