import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { contractOnServer } from './contract-on-server.ts';
import { startLoad, visit } from './site.ts';

let server: AgentBox;
let box: Box;

beforeAll(async () => {
  server = await startAgentBox('drivers');
  box = server.box;
});

afterAll(() => server.remove());

const accountOf = (id: number) =>
  specOf({
    account_id: id,
    uid: 30_000 + id,
    linux_user: `box${id}`,
    domains: [domainOf(id, `box${id}.example.com`)],
  });

const status = async (id: number) => (await visit(box.address, `box${id}.example.com`)).status;

describe('accounts', () => {
  test('are created while useradd and userdel run, and no entry is lost', async () => {
    const others = box.require(
      [
        'sh',
        '-ec',
        'for i in $(seq 1 25); do useradd -m -u $((1200 + i)) other$i; userdel -r other$i 2>/dev/null; useradd -u $((1200 + i)) other$i; done',
      ],
      { timeoutMs: 120_000 },
    );
    const specs = Array.from({ length: 10 }, (_, at) => accountOf(at + 1));
    const reports = await Promise.all(specs.map((spec) => server.settle(spec)));
    await others;
    expect(reports.map((report) => report.outcome)).toEqual(specs.map(() => 'applied'));
    const known = await box.require(['cut', '-d:', '-f1,3', '/etc/passwd']);
    for (const { linux_user, uid } of specs) expect(known).toContain(`${linux_user}:${uid}\n`);
    for (let i = 1; i <= 25; i += 1) expect(known).toContain(`other${i}:${1_200 + i}\n`);
    await box.require(['pwck', '--read-only', '--quiet']);
    await box.require(['grpck', '--read-only', '--quiet']);
  });
});

describe('nginx', () => {
  test('serves accounts that are created together, without a reload', async () => {
    const reloads = () => server.metric('innkeeper_agent_nginx_reloads_total');
    const before = await reloads();
    const specs = Array.from({ length: 8 }, (_, at) => accountOf(at + 21));
    await Promise.all(specs.map((spec) => server.settle(spec)));
    expect(await reloads()).toBe(before);
    expect(await Promise.all(specs.map((spec) => status(spec.account_id)))).toEqual(specs.map(() => 200));
  });

  test('with a configuration that an operator broke still accepts new sites, and the agent reports it until it is repaired', async () => {
    await box.writeFile('/etc/nginx/conf.d/broken.conf', 'server { listen 80\n');
    const isReported = async () =>
      (await server.status()).reasons.includes('nginx refuses its configuration: nginx -t says why.');
    await waitUntil('the fault to be reported', isReported, { timeoutMs: 30_000 });
    expect(await server.settle(accountOf(31))).toMatchObject({ outcome: 'applied' });
    expect([await status(1), await status(31)]).toEqual([200, 200]);
    await box.require(['rm', '/etc/nginx/conf.d/broken.conf']);
    await waitUntil('the agent to be ready', async () => (await server.status()).ready, {
      timeoutMs: 30_000,
    });
  });

  test('answers an unknown host with the page “no site”, and an unknown path of a site with “no such page”', async () => {
    for (const method of ['GET', 'POST'] as const) {
      for (const path of ['/', '/index.php', '/.innkeeper-no-site']) {
        const answer = await visit(box.address, 'nobody.example.com', path, { method });
        expect([answer.status, answer.body.includes('/home/')], path).toEqual([404, false]);
      }
      const nobody = await visit(box.address, 'nobody.example.com', '/', { method });
      expect(nobody.body).toContain('No site here');
      const missing = await visit(box.address, 'box1.example.com', '/missing.php', { method });
      expect([missing.status, missing.body.includes('No site here')]).toEqual([404, false]);
    }
    expect((await visit(box.address, 'www.box1.example.com')).status).toBe(200);
    expect((await visit(box.address, box.address)).status).toBe(404);
  });

  test('accepts new accounts while two of the operator’s server blocks have one name', async () => {
    const twice = 'server { listen 80; server_name twice.example.org; return 200; }\n'.repeat(2);
    await box.writeFile('/etc/nginx/conf.d/twice.conf', twice);
    expect(await server.settle(accountOf(33))).toMatchObject({ outcome: 'applied' });
    expect(await status(33)).toBe(200);
    await box.require(['rm', '/etc/nginx/conf.d/twice.conf']);
  });

  test('serves a name for the account that had it first, and reports a conflict to the other', async () => {
    const thief = { ...accountOf(32), domains: accountOf(1).domains };
    const report = await server.settle(thief);
    expect(report.outcome).toBe('failed');
    expect(report.conditions.find((condition) => condition.reason === 'Conflict')).toMatchObject({
      type: 'web',
      message: expect.stringContaining('box1.example.com belongs to'),
    });
    expect(await box.require(['readlink', '/etc/innkeeper/sites/box1.example.com'])).toMatch(/^30001,/);
    await server.settle({ ...thief, generation: 2, desired_state: 'absent' });
    expect(await status(1)).toBe(200);
  });

  test.each([
    ['while the agent runs', async () => {}],
    ['at its next start', async () => void (await box.require(['systemctl', 'restart', 'innkeeper-agent']))],
  ])('gets all sites back when they are lost, %s', async (_, restart) => {
    await box.require(['rm', '-r', '/etc/innkeeper/sites']);
    await restart();
    await waitUntil('all sites', async () => (await status(2)) === 200 && (await status(9)) === 200, {
      timeoutMs: 30_000,
    });
    expect(await box.require(['stat', '-c', '%a %U %G', '/etc/innkeeper/sites'])).toBe('710 root www-data\n');
    await waitUntil('the agent to be ready', async () => (await server.status()).ready, {
      timeoutMs: 30_000,
    });
  });

  test('gives an alias to the account that adds it as a site, and back when it is removed', async () => {
    const spec = accountOf(35);
    const names = (domains: AccountSpec['domains']) => ({ ...spec, domains });
    const kept = '/home/box35/domains';
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
    const alias = 'www.box35.example.com';
    const kindOf = async () => (await box.require(['readlink', `/etc/innkeeper/sites/${alias}`])).trim();
    expect(await kindOf()).toBe('30035,php,box35,,,www');
    const both = [...spec.domains, domainOf(3_500, alias, { is_primary: false })];
    expect(await server.settle({ ...names(both), generation: 2 })).toMatchObject({ outcome: 'applied' });
    expect(await kindOf()).toBe('30035,php,box35,,,');
    await box.require(['test', '-d', `${kept}/${alias}`]);
    expect(await server.settle({ ...names(spec.domains), generation: 3 })).toMatchObject({
      outcome: 'applied',
    });
    expect(await kindOf()).toBe('30035,php,box35,,,www');
    expect((await visit(box.address, alias)).status).toBe(200);
  });
});

describe('PHP', () => {
  test('applies new limits without dropping a request', async () => {
    const spec = accountOf(3);
    const load = startLoad(box.address, 'box3.example.com', '/', (answer) => answer.status === 200);
    const config = `/etc/innkeeper/php/${spec.uid}.conf`;
    const before = await box.readFile(config);
    for (let generation = 2; generation <= 11; generation += 1) {
      const limits = { ...spec.limits, ram_mb: 128 * generation };
      expect(await server.settle({ ...spec, generation, limits })).toMatchObject({ outcome: 'applied' });
    }
    const { answered, wrong } = await load.end();
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(10);
    expect(await box.readFile(config)).not.toBe(before);
  });

  test('is stopped when idle, and starts with the next request', async () => {
    expect(await status(4)).toBe(200);
    const unit = `innkeeper-php@${accountOf(4).uid}.service`;
    const state = async () => (await box.exec(['systemctl', 'is-active', unit])).stdout.trim();
    expect(await state()).toBe('active');
    await server.configure({ INNKEEPER_PHP_IDLE_MS: 1_000 });
    await waitUntil('PHP to be stopped', async () => (await state()) === 'inactive', { timeoutMs: 110_000 });
    expect(await status(4)).toBe(200);
  });
});

contractOnServer('the driver contract on a real server', () => box);
