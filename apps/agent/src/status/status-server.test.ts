import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRig } from '../../test/agent-rig.ts';
import { specOf } from '../../test/specs.ts';
import { showStatus } from '../commands/status.ts';
import { HostError } from '../host/host-error.ts';
import { type StatusServer, startStatusServer } from './status-server.ts';

let server: StatusServer;
let rig: Awaited<ReturnType<typeof startRig>>;

beforeEach(async () => {
  rig = await startRig();
  const { agent, metrics } = rig;
  server = await startStatusServer('127.0.0.1:0', { metrics, status: () => agent.status() });
});

afterEach(() => server.close());

const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });

async function breakAnAccount(): Promise<void> {
  rig.node.onStep = (step) => {
    if (step.startsWith('slice')) throw new HostError('Failed', '/home/demo of demo.example.com is broken.');
  };
  await rig.deliver(specOf({}));
}

test('readiness says why, in JSON, and health does not depend on it', async () => {
  expect((await get('/readyz')).status).toBe(200);
  expect(await (await get('/readyz')).json()).toEqual({ ready: true, reasons: [] });
  rig.controlPlane.supersede();
  const answer = await get('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ ready: false, reasons: ['A later agent has taken this node over.'] });
  expect((await get('/healthz')).status).toBe(200);
});

test('metrics have the prefix, say what is, and name no account, user or site', async () => {
  await breakAnAccount();
  const text = await (await get('/metrics')).text();
  expect(text).toContain('innkeeper_agent_accounts{outcome="progressing"} 1');
  expect(text).toContain('innkeeper_agent_control_plane_connected 1');
  expect(text).toMatch(/innkeeper_agent_driver_duration_seconds_count\{driver="user"\} 1/);
  expect(text).toMatch(/innkeeper_agent_build_info\{version="0\.0\.0-test",node_version="\d+/);
  for (const line of text.split('\n')) expect(line).toMatch(/^(?:# (?:HELP|TYPE) )?innkeeper_agent_|^$/);
  expect(text).not.toContain('demo');
});

test('the status that every user of the server can read names accounts by id, and neither users nor sites', async () => {
  await breakAnAccount();
  const text = await (await get('/status')).text();
  expect(JSON.parse(text).troubled).toEqual([
    {
      account_id: 1,
      generation: 1,
      outcome: 'progressing',
      conditions: ['slice: Retrying', 'web: Retrying'],
    },
  ]);
  expect(text).not.toContain('demo');
});

test('nothing can be asked of the loopback but questions', async () => {
  expect((await get('/status', 'POST')).status).toBe(405);
  expect((await get('/reconcile', 'DELETE')).status).toBe(405);
  expect((await get('/etc/passwd')).status).toBe(404);
});

test('innkeeper-agent status shows it to people and programs, with an exit code', async () => {
  const address = `127.0.0.1:${server.port}`;
  const said: string[] = [];
  const show = (options: object = {}) =>
    showStatus({ address, json: false, waitSeconds: 0, write: (text) => void said.push(text), ...options });
  expect(await show()).toBe(0);
  expect(said.pop()).toContain('innkeeper-agent 0.0.0-test: ready');
  await breakAnAccount();
  rig.controlPlane.supersede();
  expect(await show()).toBe(1);
  const text = said.pop();
  expect(text).toContain('not ready\n  A later agent has taken this node over.');
  expect(text).toContain('account 1 (generation 1) progressing: slice: Retrying');
  expect(await show({ json: true })).toBe(1);
  expect(JSON.parse(said.pop() ?? '')).toMatchObject({ superseded: true });
  await server.close();
  expect(await show()).toBe(3);
  expect(said.pop()).toContain('No agent answers');
  server = await startStatusServer('127.0.0.1:0', { metrics: rig.metrics, status: () => rig.agent.status() });
});
