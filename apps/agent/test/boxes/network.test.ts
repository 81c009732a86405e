import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, install, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';

/** Permitted connections of an account: none to the agent, and to the network only what hosting needs. */
let server: AgentBox;
let box: Box;
const mallory = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'mallory',
  terminal_access: true,
  domains: [],
});
const neighbour = specOf({ ...mallory, account_id: 2, uid: 20_002, linux_user: 'neighbour' });

beforeAll(async () => {
  server = await startAgentBox('network');
  ({ box } = server);
  for (const account of [mallory, neighbour])
    expect(await server.settle(account)).toMatchObject({ outcome: 'applied' });
}, 240_000);

afterAll(async () => {
  await server.remove();
});

/** Runs PHP as mallory, or as another account. */
const attack = (php: string, account = mallory) =>
  asAccount(box, account, 'php', `<?php error_reporting(0); ${php}`);

describe('the agent’s own ports', () => {
  test('100 idle connections of a tenant block neither monitoring nor the agent’s tools', async () => {
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

  test('a tenant reads no metrics and no status, by loopback or socket; the configured user reads metrics', async () => {
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
  /** Servers of others: cloud metadata, a mail server. They are on a separate link. */
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

  test('a tenant’s connection to cloud metadata is refused at once', async () => {
    const before = performance.now();
    expect(await attack(CLOUD.map((host) => connects(host, 80)).join('\n'))).not.toContain('open');
    expect(performance.now() - before).toBeLessThan(FAST_MS);
  });

  test('a tenant does not reach the control plane', async () => {
    const [host = '', port = ''] = server.controlPlane.address.split(':');
    expect(await asRoot(connects(host, Number(port)))).toBe('open ');
    expect(await attack(connects(host, Number(port)))).not.toContain('open');
  });

  const reachesMail = async (account = mallory) =>
    (await attack(connects(MAIL, 25), account)).includes('open');
  const nft = (verb: 'add' | 'delete', uid: number) =>
    box.require(['nft', verb, 'element', 'inet', 'innkeeper', 'smtp', '{', `${uid}`, '}']);
  let generation = 1;
  /** Sends another generation of mallory, and waits until the server reports it as applied. */
  const settle = async (changes: Partial<typeof mallory>) => {
    generation += 1;
    const report = await server.settle({ ...mallory, ...changes, generation });
    expect(report).toMatchObject({ outcome: 'applied' });
  };

  test('remote port 25 is closed, and the submission ports are open', async () => {
    expect(await reachesMail()).toBe(false);
    expect(await attack(connects(MAIL, 587))).toBe('open ');
  });

  test('port 25 opens for an account when the report says so, for no other account, and closes again', async () => {
    await settle({ smtp_port_25: true });
    expect(await reachesMail()).toBe(true);
    expect(await reachesMail(neighbour)).toBe(false);
    expect(await attack(connects(CLOUD[0]!, 80))).not.toContain('open');
    await settle({ smtp_port_25: false });
    expect(await reachesMail()).toBe(false);
  });

  test('repairs manual changes of the set for port 25', async () => {
    await settle({ smtp_port_25: true });
    await server.configure({ INNKEEPER_DRIFT_INTERVAL_MS: 1_000 });
    await box.require(['innkeeper-agent', 'status', '--wait', '30']);
    await nft('delete', mallory.uid);
    await waitUntil('mallory to be back', () => reachesMail());
    await nft('add', neighbour.uid);
    expect(await reachesMail()).toBe(true);
    await waitUntil('the neighbour to be out', async () => !(await reachesMail(neighbour)));
    await box.require(['nft', 'flush', 'ruleset']);
    await waitUntil('the table', async () => !(await reachesMail(neighbour)));
    expect(await reachesMail()).toBe(true);
  });

  test('port 25 is open for the same account alone while the agent is away, and at boot before it starts', async () => {
    await settle({ smtp_port_25: true });
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    expect([await reachesMail(), await reachesMail(neighbour)]).toEqual([true, false]);
    await box.require(['systemctl', 'reload', 'innkeeper-firewall']);
    expect([await reachesMail(), await reachesMail(neighbour)]).toEqual([true, false]);
    await box.require(['nft', 'flush', 'ruleset']);
    await box.require(['systemctl', 'restart', 'innkeeper-firewall']);
    expect([await reachesMail(), await reachesMail(neighbour)]).toEqual([true, false]);
    await box.require(['systemctl', 'start', 'innkeeper-agent']);
    await box.require(['innkeeper-agent', 'status', '--wait', '30']);
    expect([await reachesMail(), await reachesMail(neighbour)]).toEqual([true, false]);
  });

  test('a suspended account and a removed one are not in the set of port 25', async () => {
    const set = () => box.require(['nft', 'list', 'set', 'inet', 'innkeeper', 'smtp']);
    await settle({ smtp_port_25: true });
    const leaver = specOf({
      ...mallory,
      account_id: 3,
      uid: 20_003,
      linux_user: 'leaver',
      smtp_port_25: true,
    });
    expect(await server.settle(leaver)).toMatchObject({ outcome: 'applied' });
    expect(await reachesMail(leaver)).toBe(true);
    expect(await set()).toContain('elements = { 20001, 20003 }');
    await server.settle({ ...leaver, generation: 2, desired_state: 'suspended' });
    expect(await set()).toContain('elements = { 20001 }');
    await server.settle({ ...leaver, generation: 3 });
    expect(await set()).toContain('elements = { 20001, 20003 }');
    const gone = await server.settle({ ...leaver, generation: 4, desired_state: 'absent' });
    expect(gone).toMatchObject({ outcome: 'absent' });
    expect(await findRemains(box, leaver, [])).toEqual([]);
    expect(await set()).toContain('elements = { 20001 }');
  });

  test('a port that a tenant listens on is not reachable from outside, the operator’s is', async () => {
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

  test('restores a removed table, and loads it at boot before the agent', async () => {
    const hasTable = async () =>
      (await box.exec(['nft', 'list', 'table', 'inet', 'innkeeper'])).exitCode === 0;
    await waitUntil('the table', hasTable);
    await box.require(['nft', 'flush', 'ruleset']);
    await waitUntil('the table to come back', hasTable);
    await box.require(['nft', 'flush', 'chain', 'inet', 'innkeeper', 'accounts']);
    await waitUntil(
      'the rules to come back',
      async () => !(await attack(connects(CLOUD[0]!, 80))).includes('open'),
      { timeoutMs: 30_000 },
    );
    expect(await server.metric('innkeeper_agent_firewall_in_place')).toBe(1);
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    await box.require(['systemctl', 'is-enabled', 'innkeeper-firewall']);
    await box.require(['nft', 'flush', 'ruleset']);
    await box.require(['systemctl', 'restart', 'innkeeper-firewall']);
    expect(await attack(connects(CLOUD[0]!, 80))).not.toContain('open');
  });

  test('a table that cannot be restored is a warning at the control plane until it is restored', async () => {
    const warnings = () => server.controlPlane.heartbeat?.warnings ?? [];
    await server.configure({ INNKEEPER_DRIFT_INTERVAL_MS: 1_000 });
    await waitUntil(
      'the table',
      async () => (await server.metric('innkeeper_agent_firewall_in_place')) === 1,
    );
    await waitUntil('no warning', () => !warnings().includes('FIREWALL_MISSING'));
    await box.require(['nft', 'flush', 'ruleset']);
    await box.require(['mv', '/usr/sbin/nft', '/usr/sbin/nft.away']);
    await waitUntil('the warning', () => warnings().includes('FIREWALL_MISSING'));
    expect(await server.metric('innkeeper_agent_firewall_in_place')).toBe(0);
    await box.require(['mv', '/usr/sbin/nft.away', '/usr/sbin/nft']);
    await waitUntil('the warning to end', () => !warnings().includes('FIREWALL_MISSING'));
    expect(await attack(connects(CLOUD[0]!, 80))).not.toContain('open');
  });

  test('warns while processes are visible or a folder is open', async () => {
    const warnings = () => server.controlPlane.heartbeat?.warnings ?? [];
    expect(warnings()).not.toContain('PROCESSES_VISIBLE');
    expect(warnings()).not.toContain('FOLDER_OPEN');
    await box.require(['systemctl', 'stop', 'innkeeper-proc']);
    await box.require(['chmod', 'o+w', '/var/log/innkeeper']);
    await waitUntil('both warnings', () =>
      ['PROCESSES_VISIBLE', 'FOLDER_OPEN'].every((code) => warnings().includes(code)),
    );
    await box.require(['systemctl', 'start', 'innkeeper-proc']);
    await box.require(['chmod', 'o-w', '/var/log/innkeeper']);
    await waitUntil(
      'both to end',
      () => !['PROCESSES_VISIBLE', 'FOLDER_OPEN'].some((code) => warnings().includes(code)),
    );
  });

  test('uninstalling removes the table', async () => {
    const { exitCode, stdout } = await install(box, ['--uninstall', '--force']);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect((await box.exec(['nft', 'list', 'table', 'inet', 'innkeeper'])).exitCode).not.toBe(0);
    expect(await attack(connects(CLOUD[0]!, 80))).toBe('open ');
  });
});
