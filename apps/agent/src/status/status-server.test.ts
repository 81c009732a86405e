import { existsSync, linkSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRig } from '../../test/agent-rig.ts';
import { specOf } from '../../test/specs.ts';
import { showStatus } from '../commands/status.ts';
import { HostError } from '../node/host-error.ts';
import { type StatusServer, startStatusServer } from './status-server.ts';

let server: StatusServer;
let folder: string;
let socket: string;
let rig: Awaited<ReturnType<typeof startRig>>;

beforeEach(async () => {
  rig = await startRig();
  folder = mkdtempSync(path.join(tmpdir(), 'innkeeper-status-'));
  socket = path.join(folder, 'agent.sock');
  server = await start();
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const start = () => startStatusServer(socket, { metrics: rig.metrics, status: () => rig.agent.status() });

interface Answer {
  readonly status: number | undefined;
  text(): string;
  json(): unknown;
}

const get = (url: string, method = 'GET') =>
  new Promise<Answer>((resolve, reject) => {
    const asked = request({ socketPath: socket, path: url, method, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, text: () => text, json: () => JSON.parse(text) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });

async function breakAnAccount(): Promise<void> {
  rig.node.onStep = (step) => {
    if (step.startsWith('slice')) throw new HostError('Failed', '/home/demo of demo.example.com is broken.');
  };
  await rig.deliver(specOf({}));
}

test('readiness names the reasons in JSON, and health does not depend on it', async () => {
  expect((await get('/readyz')).status).toBe(200);
  expect((await get('/readyz')).json()).toEqual({ ready: true, reasons: [] });
  rig.controlPlane.supersede();
  const answer = await get('/readyz');
  expect(answer.status).toBe(503);
  expect(answer.json()).toEqual({ ready: false, reasons: ['A later agent has taken this node over.'] });
  expect((await get('/healthz')).status).toBe(200);
});

test('metrics have the prefix or the usual name of a process, and names of no account, user or site', async () => {
  await breakAnAccount();
  const text = (await get('/metrics')).text();
  expect(text).toContain('innkeeper_agent_accounts{outcome="progressing"} 1');
  expect(text).toContain('innkeeper_agent_control_plane_connected 1');
  expect(text).toMatch(/innkeeper_agent_driver_duration_seconds_count\{driver="user"\} 1/);
  expect(text).toMatch(/innkeeper_agent_build_info\{version="0\.0\.0-test",node_version="\d+/);
  for (const line of text.split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) )?(?:innkeeper_agent|process|nodejs)_|^$/);
  expect(text).not.toContain('demo');
});

test('the status names accounts by id, no users and no sites', async () => {
  await breakAnAccount();
  const text = (await get('/status')).text();
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

test('refuses other methods than GET, and unknown paths', async () => {
  expect((await get('/status', 'POST')).status).toBe(405);
  expect((await get('/reconcile', 'DELETE')).status).toBe(405);
  expect((await get('/etc/passwd')).status).toBe(404);
});

test('innkeeper-agent status prints text or JSON, with an exit code', async () => {
  const said: string[] = [];
  const show = (options: object = {}) =>
    showStatus({ socket, json: false, waitSeconds: 0, write: (text) => void said.push(text), ...options });
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
  server = await start();
});

test('only root can use the socket; a second agent is refused; leftovers of a killed one are replaced', async () => {
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  await expect(start()).rejects.toThrow(`answers at ${socket}`);
  expect((await get('/healthz')).status).toBe(200);
  await server.close();
  // A killed agent leaves a socket file on which no process listens.
  await new Promise<void>((resolve) => {
    const left = createServer().listen(`${socket}.bound`, () => {
      linkSync(`${socket}.bound`, socket);
      left.close(() => resolve());
    });
  });
  expect(existsSync(socket)).toBe(true);
  server = await start();
  expect((await get('/healthz')).status).toBe(200);
});

test('closes a connection that sends nothing', async () => {
  const client = connect(socket);
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.on('error', () => {});
  client.resume();
  await closed;
});
