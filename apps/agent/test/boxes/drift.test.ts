import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { visit } from './site.ts';

/** What somebody changes by hand on a hosting server is put back; what is not the agent's is left alone. */
let server: AgentBox;
let box: Box;
const name = 'drift.example.com';
const account: AccountSpec = specOf({
  account_id: 1,
  linux_user: 'drift',
  terminal_access: true,
  domains: [
    {
      domain_id: 1,
      name,
      is_primary: true,
      desired_state: 'active',
      certificate_revision: 0,
      certificate_email: '',
    },
  ],
});
const { uid } = account;

beforeAll(async () => {
  server = await startAgentBox('drift');
  box = server.box;
  expect(await server.settle(account)).toMatchObject({ outcome: 'applied' });
});

afterAll(() => server.remove());

/** Has every account looked at, and gives how many changes that took. */
async function lookAround(): Promise<number> {
  const changes = () => server.metric('innkeeper_agent_node_changes_total');
  const passes = () => server.metric('innkeeper_agent_passes_total');
  const [madeBefore, passesBefore] = [await changes(), await passes()];
  await box.require(['systemctl', 'reload', 'innkeeper-agent']);
  await waitUntil('a pass over every account', async () => (await passes()) > passesBefore);
  return (await changes()) - madeBefore;
}

beforeEach(async () => {
  expect(await lookAround()).toBe(0);
});

const site = async () => (await visit(box.address, name)).status;

describe('a converged account', () => {
  test('is not changed by another look, nor by another start of the agent', async () => {
    const written = await box.require([
      'stat',
      '-c',
      '%n %Y %Z %i',
      '/etc/passwd',
      '/etc/shadow',
      '/home/drift',
    ]);
    const reloads = await box.require(['systemctl', 'show', '-P', 'ActiveEnterTimestamp', 'nginx']);
    await box.require(['systemctl', 'restart', 'innkeeper-agent']);
    await box.require(['innkeeper-agent', 'status', '--wait', '30']);
    expect(await server.metric('innkeeper_agent_node_changes_total')).toBe(0);
    expect(await server.metric('innkeeper_agent_nginx_reloads_total')).toBe(0);
    expect(
      await box.require(['stat', '-c', '%n %Y %Z %i', '/etc/passwd', '/etc/shadow', '/home/drift']),
    ).toBe(written);
    expect(await box.require(['systemctl', 'show', '-P', 'ActiveEnterTimestamp', 'nginx'])).toBe(reloads);
  });

  test('gets its place in nginx back', async () => {
    await box.require(['sed', '-i', `/${name}/d`, '/etc/nginx/innkeeper/live/site.map']);
    await box.require(['systemctl', 'reload', 'nginx']);
    expect(await lookAround()).toBeGreaterThan(0);
    expect(await site()).toBe(200);
  });

  test('gets its limits back', async () => {
    await box.require(['systemctl', 'set-property', `user-${uid}.slice`, 'CPUQuota=1%', 'MemoryMax=1G']);
    expect(await lookAround()).toBeGreaterThan(0);
    const shown = await box.require(['systemctl', 'show', '-P', 'MemoryMax', `user-${uid}.slice`]);
    expect(Number(shown)).toBe(account.limits.ram_mb * 1_048_576);
  });

  test('gets its PHP socket back', async () => {
    await box.require(['systemctl', 'stop', `innkeeper-php@${uid}.socket`]);
    await box.require(['rm', '-f', `/run/innkeeper/php/${uid}.sock`]);
    expect(await lookAround()).toBeGreaterThan(0);
    expect(await site()).toBe(200);
  });

  test('gets its user, its shell and its home’s mode back', async () => {
    await box.require(['usermod', '-s', '/bin/sh', 'drift']);
    await box.require(['chmod', '777', '/home/drift']);
    expect(await lookAround()).toBeGreaterThan(0);
    expect(await box.require(['stat', '-c', '%a', '/home/drift'])).toBe('750\n');
    expect(await box.require(['getent', 'passwd', 'drift'])).toMatch(/:\/bin\/bash\n$/);
  });

  test('gets what a restored backup of the account files lacks', async () => {
    await box.require(['sed', '-i', '/^drift:/d', '/etc/passwd']);
    await box.require(['sed', '-i', '/^drift:/d', '/etc/shadow']);
    await box.require(['sed', '-i', '/^drift:/d', '/etc/group']);
    expect(await lookAround()).toBeGreaterThan(0);
    expect(await box.require(['id', '-u', 'drift'])).toBe(`${uid}\n`);
    expect(await site()).toBe(200);
  });

  test('counts what was put back', async () => {
    expect(await server.metric('innkeeper_agent_drift_repaired_total')).toBeGreaterThan(0);
  });
});

describe('something that is not the agent’s', () => {
  test('in the way of a new account is reported and left as it is', async () => {
    await box.require(['mkdir', '/home/taken']);
    await box.writeFile('/home/taken/precious', 'kept');
    const blocked = specOf({ account_id: 2, uid: 20_002, linux_user: 'taken', domains: [] });
    const report = await server.settle(blocked);
    expect(report.outcome).toBe('failed');
    expect(report.conditions.filter((condition) => condition.reason === 'Conflict')).toHaveLength(1);
    expect(await box.require(['stat', '-c', '%U', '/home/taken'])).toBe('root\n');
    const gone = await server.settle({ ...blocked, generation: 2, desired_state: 'absent' });
    expect(await box.readFile('/home/taken/precious')).toBe('kept');
    expect(gone.outcome).toMatch(/absent|failed/);
  });

  test('is an account of the server’s own with the same name', async () => {
    await box.require(['useradd', '-m', 'person']);
    const before = await box.require(['getent', 'passwd', 'person']);
    const report = await server.settle(
      specOf({ account_id: 3, uid: 20_003, linux_user: 'person', domains: [] }),
    );
    expect(report.outcome).toBe('failed');
    expect(await box.require(['getent', 'passwd', 'person'])).toBe(before);
  });
});

describe('without its control plane', () => {
  test('a server that starts makes its accounts true from the ledger', async () => {
    server.controlPlane.stop();
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    await box.require(['systemctl', 'revert', `user-${uid}.slice`]);
    await box.require(['systemctl', 'stop', `innkeeper-php@${uid}.socket`]);
    await box.require(['systemctl', 'start', 'innkeeper-agent']);
    await waitUntil('the site to be back', async () => (await site()) === 200, { timeoutMs: 20_000 });
    const shown = await box.require(['systemctl', 'show', '-P', 'MemoryMax', `user-${uid}.slice`]);
    expect(Number(shown)).toBe(account.limits.ram_mb * 1_048_576);
    expect((await server.status()).ready).toBe(false);
  });
});
