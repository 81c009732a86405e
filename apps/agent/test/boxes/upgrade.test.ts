import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, install, startAgentBox } from './agent-box.ts';
import { startLoad } from './site.ts';

/** The agent is replaced, killed and reloaded while visitors continuously request its sites. */
let server: AgentBox;
let box: Box;
const spec = specOf({
  account_id: 1,
  linux_user: 'busy',
  domains: [domainOf(1, 'busy.example.com')],
});

beforeAll(async () => {
  server = await startAgentBox('upgrade');
  box = server.box;
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  const root = '/home/busy/domains/busy.example.com/public_html';
  await box.writeFile('/root/page.php', '<?php usleep(20000); echo "uid ", posix_geteuid();');
  const asUser = ['setpriv', '--reuid', String(spec.uid), '--regid', String(spec.uid), '--clear-groups'];
  await box.require([...asUser, 'sh', '-c', `cat > ${root}/page.php`], {
    input: await box.readFile('/root/page.php'),
  });
});

afterAll(() => server.remove());

async function underLoad(work: () => Promise<void>): Promise<void> {
  const load = startLoad(box.address, 'busy.example.com', '/page.php', ({ status, body }) => {
    return status === 200 && body === `uid ${spec.uid}`;
  });
  await work();
  const { answered, wrong } = await load.end();
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThan(20);
}

const ready = () => box.require(['innkeeper-agent', 'status', '--wait', '30']);
const mainPid = () => box.require(['systemctl', 'show', '-P', 'MainPID', 'innkeeper-agent']);

test('a restart of the agent drops no request', async () => {
  await underLoad(async () => {
    for (let times = 0; times < 3; times += 1) {
      await box.require(['systemctl', 'restart', 'innkeeper-agent']);
      await ready();
    }
  });
});

test('a kill of the agent drops no request', async () => {
  await underLoad(async () => {
    const before = await mainPid();
    await box.require(['systemctl', 'kill', '-s', 'KILL', 'innkeeper-agent']);
    await waitUntil('another agent', async () => !['0\n', before].includes(await mainPid()));
    await ready();
  });
});

test('an upgrade runs the new release and drops no request', async () => {
  const release = () => box.require(['readlink', '/opt/innkeeper/agent']);
  const before = await release();
  await box.require(['sh', '-c', 'echo "// a newer build" >> /root/innkeeper-agent/innkeeper-agent.mjs']);
  await underLoad(async () => {
    const result = await install(box, []);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toContain('restarted');
  });
  expect(await release()).not.toBe(before);
  const running = await box.require(['sh', '-c', `readlink /proc/${(await mainPid()).trim()}/exe`]);
  expect(running.startsWith((await release()).trim())).toBe(true);
});

test('a stop of the agent stops no process of an account', async () => {
  await underLoad(async () => {
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    expect(await box.exec(['systemctl', 'is-active', `innkeeper-php@${spec.uid}.socket`])).toMatchObject({
      exitCode: 0,
    });
    await box.require(['systemctl', 'start', 'innkeeper-agent']);
    await ready();
  });
});

test('changes of another account drop no request', async () => {
  const other = specOf({
    account_id: 2,
    uid: 20_001,
    linux_user: 'other',
    domains: [domainOf(2, 'other.example.com')],
  });
  await underLoad(async () => {
    expect(await server.settle(other)).toMatchObject({ outcome: 'applied' });
    expect(await server.settle({ ...other, generation: 2, desired_state: 'suspended' })).toMatchObject({
      outcome: 'applied',
    });
    expect(await server.settle({ ...other, generation: 3, desired_state: 'absent' })).toMatchObject({
      outcome: 'absent',
    });
  });
});
