import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';

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
