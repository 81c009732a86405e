import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, install, startAgentBox } from './agent-box.ts';

/** What an account may connect to: nothing of the agent's, and of the network only what hosting needs. */
let server: AgentBox;
let box: Box;
const mallory = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'mallory',
  terminal_access: true,
  domains: [],
});

beforeAll(async () => {
  server = await startAgentBox('web1');
  ({ box } = server);
  expect(await server.settle(mallory)).toMatchObject({ outcome: 'applied' });
}, 240_000);

afterAll(async () => {
  await server.remove();
});

/** Runs PHP as mallory. */
const attack = (php: string) => asAccount(box, mallory, 'php', `<?php error_reporting(0); ${php}`);

describe('the agent’s own ports', () => {
  test('100 idle connections of a tenant neither blind monitoring nor keep the agent’s tools from it', async () => {
    const held = attack(`
      for ($i = 0; $i < 100; $i++) $held[] = stream_socket_client('tcp://127.0.0.1:9465', $no, $text, 1);
      touch('/tmp/mallory-holds');
      for ($i = 0; $i < 600 && !file_exists('/tmp/mallory-may-end'); $i++) usleep(100000);
      echo 'ended';
    `);
    await waitUntil('the connections', async () => {
      const { exitCode } = await box.exec(['test', '-e', '/tmp/mallory-holds']);
      return exitCode === 0;
    });
    const status = await box.exec(['innkeeper-agent', 'status', '--wait', '30']);
    const metrics = await box.exec(['curl', '-fsS', '--max-time', '5', 'http://127.0.0.1:9465/metrics']);
    await box.require(['touch', '/tmp/mallory-may-end']);
    expect(await held).toBe('ended');
    expect(status).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ready') });
    expect(metrics).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('innkeeper_agent_build_info'),
    });
  });

  test('a tenant reads neither metrics nor status, by the loopback or the socket; the named user reads metrics', async () => {
    const said = await attack(`
      foreach (['/metrics', '/status', '/readyz'] as $path) echo file_get_contents("http://127.0.0.1:9465$path");
      $socket = stream_socket_client('unix:///run/innkeeper/agent.sock', $no, $text, 1);
      echo $socket ? 'connected' : "$no";
    `);
    // EACCES
    expect(said).toBe('13');
    const asUser = (uid: string) => [
      ...['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups'],
      ...['curl', '-fsS', '--max-time', '5', 'http://127.0.0.1:9465/metrics'],
    ];
    await box.require(['useradd', '--system', '--uid', '900', 'prometheus']);
    expect((await box.exec(asUser('900'))).exitCode).not.toBe(0);
    await server.configure({ INNKEEPER_METRICS_USER: 'prometheus' });
    await box.require(['innkeeper-agent', 'status', '--wait', '30']);
    expect(await box.require(asUser('900'))).toContain('innkeeper_agent_build_info');
    expect((await box.exec(asUser('901'))).exitCode).not.toBe(0);
  });
});

describe('the network', () => {
  const FAST_MS = 10_000;
  /** Servers of others: cloud metadata, a mail server; behind a link of their own. */
  const CLOUD = ['169.254.169.254', 'fd00:ec2::254'];
  const MAIL = '192.0.2.25';
  const inCloud = (...argv: string[]) => ['ip', 'netns', 'exec', 'cloud', ...argv];
  const serve = (at: string, ...prefix: string[]) =>
    box.require([
      ...['systemd-run', '--quiet', '--collect', ...prefix, '--'],
      ...['php', '-S', at, '-t', '/srv/other'],
    ]);
  const connects = (host: string, port: number) =>
    `$s = stream_socket_client('tcp://${host.includes(':') ? `[${host}]` : host}:${port}', $no, $text, 5); echo $s ? 'open ' : "$no ";`;
  const asRoot = (php: string) => box.require(['php'], { input: `<?php error_reporting(0); ${php}` });

  beforeAll(async () => {
    const setUp = `
      mkdir -p /srv/other && echo secret > /srv/other/index.html
      ip netns add cloud
      ip link add cloud0 type veth peer name cloud1 netns cloud
      ip address add 169.254.0.1/16 dev cloud0 && ip address add 192.0.2.1/24 dev cloud0
      ip -6 address add fd00:ec2::1/64 dev cloud0 nodad && ip link set cloud0 up
      ip -n cloud address add 169.254.169.254/16 dev cloud1 && ip -n cloud address add ${MAIL}/24 dev cloud1
      ip -n cloud -6 address add fd00:ec2::254/64 dev cloud1 nodad && ip -n cloud link set cloud1 up
    `;
    await box.require(['sh', '-ec', setUp]);
    const netns = '--property=NetworkNamespacePath=/run/netns/cloud';
    for (const host of [...CLOUD.map((one) => (one.includes(':') ? `[${one}]` : one))])
      await serve(`${host}:80`, netns);
    for (const port of [25, 587]) await serve(`${MAIL}:${port}`, netns);
    await waitUntil('the servers of others', async () => {
      const said = await asRoot(
        [...CLOUD.map((host) => connects(host, 80)), connects(MAIL, 25), connects(MAIL, 587)].join('\n'),
      );
      return said === 'open open open open ';
    });
  }, 60_000);

  test('a tenant reaches no cloud metadata, and is told so at once', async () => {
    const before = performance.now();
    expect(await attack(CLOUD.map((host) => connects(host, 80)).join('\n'))).not.toContain('open');
    expect(performance.now() - before).toBeLessThan(FAST_MS);
  });

  test('a tenant does not reach the control plane', async () => {
    const [host = '', port = ''] = server.controlPlane.address.split(':');
    expect(await asRoot(connects(host, Number(port)))).toBe('open ');
    expect(await attack(connects(host, Number(port)))).not.toContain('open');
  });

  test('port 25 of others is closed, the ports for sending with a password are open, and a setting opens it', async () => {
    expect(await attack(connects(MAIL, 25))).not.toContain('open');
    expect(await attack(connects(MAIL, 587))).toBe('open ');
    await server.configure({ INNKEEPER_SMTP_PORT_25: 'open', INNKEEPER_DRIFT_INTERVAL_MS: 1_000 });
    await waitUntil('port 25', async () => (await attack(connects(MAIL, 25))) === 'open ');
    await server.configure({ INNKEEPER_SMTP_PORT_25: 'closed' });
    await waitUntil('port 25 to close', async () => !(await attack(connects(MAIL, 25))).includes('open'));
  });

  test('a server of a tenant is not reachable from outside, the operator’s is', async () => {
    await serve('0.0.0.0:3000', '--uid=20001', '--slice=user-20001.slice');
    await serve('0.0.0.0:3001');
    await waitUntil('both servers', async () => {
      return (await asRoot(connects('127.0.0.1', 3_000) + connects('127.0.0.1', 3_001))) === 'open open ';
    });
    const outside = (port: number) =>
      box.exec(inCloud('curl', '-s', '--max-time', '3', `http://192.0.2.1:${port}/`));
    expect(await outside(3_001)).toMatchObject({ exitCode: 0, stdout: 'secret\n' });
    expect((await outside(3_000)).exitCode).toBe(28);
  });

  test('a table that is removed comes back, and is there after a boot before the agent is', async () => {
    const hasTable = async () =>
      (await box.exec(['nft', 'list', 'table', 'inet', 'innkeeper'])).exitCode === 0;
    await waitUntil('the table', hasTable);
    await box.require(['nft', 'flush', 'ruleset']);
    await waitUntil('the table to come back', hasTable);
    await box.require(['nft', 'flush', 'chain', 'inet', 'innkeeper', 'accounts']);
    await waitUntil(
      'the rules to come back',
      async () => !(await attack(connects(CLOUD[0]!, 80))).includes('open'),
    );
    expect(await server.metric('innkeeper_agent_firewall_in_place')).toBe(1);
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    await box.require(['systemctl', 'is-enabled', 'innkeeper-firewall']);
    await box.require(['nft', 'flush', 'ruleset']);
    await box.require(['systemctl', 'restart', 'innkeeper-firewall']);
    expect(await attack(connects(CLOUD[0]!, 80))).not.toContain('open');
  });

  test('uninstalling takes the table away', async () => {
    const { exitCode, stdout } = await install(box, ['--uninstall', '--force']);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect((await box.exec(['nft', 'list', 'table', 'inet', 'innkeeper'])).exitCode).not.toBe(0);
    expect(await attack(connects(CLOUD[0]!, 80))).toBe('open ');
  });
});
