import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AccountSpec, AppSpec, AppStatusReport } from '@innkeeper/protocol';
import { makeZip } from '@innkeeper/testkit';
import {
  type Box,
  type NpmRegistry,
  startNpmRegistry,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeApp, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { Deploys } from './deploys.ts';
import { findRemains } from './remains.ts';
import { startLoad, visit } from './site.ts';

/** Programs of Node.js apps: where they listen, what they may do, how they end, and that they are restarted. */
let server: AgentBox;
let box: Box;
let registry: NpmRegistry;
const SECRET = 'sesame-5c1e"\'$(id) %i é=\nand a second line';
const LONG = { timeoutMs: 90_000 };

const domain = (domain_id: number, name: string) => ({
  ...specOf({}).domains[0]!,
  domain_id,
  name,
  is_primary: domain_id === 1,
});
const plain = nodeApp(1, {
  domain_id: 1,
  start_command: 'npm start',
  env: [
    { name: 'OPEN_SESAME', value: SECRET, is_secret: true },
    { name: 'WORD', value: 'one', is_secret: false },
  ],
});
const express = nodeApp(2, { domain_id: 2, start_command: 'node "my server.js"', node_version: '18' });
let spec: AccountSpec = specOf({
  linux_user: 'runner',
  uid: 20_001,
  limits: { ...specOf({}).limits, ram_mb: 400, cpu_percent: 200, max_processes: 100 },
  domains: [domain(1, 'plain.example.com'), domain(2, 'express.example.com')],
  apps: [plain, express],
});
const other = specOf({ account_id: 2, linux_user: 'other', uid: 20_002, domains: [] });

/** An ES module that reads only its port. */
const PLAIN = `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
const eaten = [];
const server = createServer((request, response) => {
  if (request.url === '/eat') setInterval(() => eaten.push(Buffer.alloc(20_000_000, 1)), 10);
  if (request.url === '/slow') return setTimeout(() => response.end('slow'), 1_000);
  const { version, cwd, env, pid } = process;
  const { OPEN_SESAME, WORD, NODE_ENV, HOME, LISTEN_FDS, NOTIFY_SOCKET } = env;
  response.end(JSON.stringify({
    version, cwd: cwd(), OPEN_SESAME, WORD, NODE_ENV, HOME, LISTEN_FDS, NOTIFY_SOCKET, pid,
    address: server.address(), from: request.socket.remoteAddress, cgroup: readFileSync('/proc/self/cgroup', 'utf8'),
  }));
});
server.on('upgrade', (request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n');
  socket.pipe(socket);
});
server.listen(process.env.PORT, '0.0.0.0', () => console.log('listens on', server.address().port));
`;
const EXPRESS = `
const app = require('express')();
app.get('/', (request, response) => response.send('express ' + process.version + ' ' + request.hostname));
app.listen(process.env.PORT, () =>
  require('node:http').createServer().listen({ port: process.env.PORT, host: '::1' }, () => console.log('beside')));
`;

const folder = (app: AppSpec) => `/home/${spec.linux_user}/apps/${app.app_id}`;
const unit = (app: AppSpec) => `innkeeper-app-${spec.uid}@${app.app_id}`;

/** Writes files into the app's current release. */
async function write(app: AppSpec, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files))
    await asAccount(box, spec, `cat > '${folder(app)}/current/${name}'`, text);
}

/** The same app with a changed variable, so that its program is restarted. */
const anew = (app: AppSpec, round: number): AppSpec => ({
  ...app,
  env: [...app.env, { name: 'ROUND', value: `${round}`, is_secret: false }],
});

const plainFiles = (script: string) => ({
  'package.json': JSON.stringify({ type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': script,
});

async function settle(changes: Partial<AccountSpec> = {}): Promise<void> {
  spec = { ...spec, ...changes, generation: spec.generation + 1 };
  expect((await server.settle(spec)).conditions.filter(({ reason }) => reason !== 'Applied')).toEqual([]);
}

function statusOf(app: AppSpec): Pick<AppStatusReport, 'status' | 'reason'> | undefined {
  const report = server.controlPlane.reportOf(spec.account_id, spec.generation);
  return report?.apps.find(({ app_id }) => Number(app_id) === app.app_id) as AppStatusReport | undefined;
}

async function becomes(app: AppSpec, status: string): Promise<string> {
  await waitUntil(`app ${app.app_id} to be ${status}`, () => statusOf(app)?.status === status, LONG);
  return statusOf(app)!.reason;
}

/** Queues a pass for the accounts, as the drift timer does. */
const look = () => box.require(['systemctl', 'reload', 'innkeeper-agent']);
const ask = async (path = '/') => JSON.parse((await visit(box.address, 'plain.example.com', path)).body);
const asOther = (line: string) =>
  box.exec(['setpriv', '--reuid', '20002', '--regid', '20002', '--clear-groups', 'sh', '-c', line]);

beforeAll(async () => {
  const { boxes } = await testInstallation();
  registry = await startNpmRegistry(boxes.network.hostAddress);
  server = await startAgentBox('programs');
  box = server.box;
  await server.configure({ INNKEEPER_NPM_REGISTRY: registry.url });
  await settle({ apps: spec.apps.map((app) => ({ ...app, desired_state: 'stopped' })) });
  await server.settle(other);
  for (const app of [plain, express])
    await waitUntil(
      'a first release',
      async () => (await box.exec(['test', '-d', `${folder(app)}/current`])).exitCode === 0,
      LONG,
    );
  await write(plain, plainFiles(PLAIN));
  await write(express, { 'my server.js': EXPRESS, 'package.json': '{}' });
});

afterAll(async () => {
  await server?.remove();
  await registry?.stop();
});

test('fetches a missing Node.js version, and the program answers through nginx', async () => {
  await settle({ apps: [plain, { ...express, desired_state: 'stopped' }] });
  await becomes(plain, 'running');
  const statuses = server.controlPlane.reports.flatMap(({ apps }) => apps.map(({ status }) => status));
  expect(statuses).toContain('installing');
  expect(statuses).toContain('starting');
  const { cgroup, pid, ...said } = await ask();
  expect(said).toEqual({
    version: expect.stringMatching(/^v20\./),
    cwd: expect.stringMatching(/^\/home\/runner\/apps\/1\/releases\/\d+$/),
    OPEN_SESAME: SECRET,
    WORD: 'one',
    NODE_ENV: 'production',
    HOME: '/home/runner',
    address: { address: '0.0.0.0', family: 'IPv4', port: 80 },
    from: '127.0.0.1',
  });
  expect(cgroup).toContain(`/user.slice/user-20001.slice/${unit(plain)}.service`);
  expect(await asAccount(box, spec, 'tail -n 1 ~runner/logs/app-1.log')).toBe('listens on 80\n');
});

test('no process of a program listens on TCP, and no account can listen on port 80', async () => {
  const pids = (await box.require(['pgrep', '--uid', '20001'])).trim().split('\n');
  const listeners = await box.require([
    'ss',
    '--listening',
    '--tcp',
    '--numeric',
    '--processes',
    '--no-header',
  ]);
  expect(pids.length).toBeGreaterThan(1);
  for (const pid of pids) expect(listeners).not.toContain(`pid=${pid},`);
  const bind = `/opt/innkeeper/node/20/bin/node -e "require('net').createServer().listen(80)"`;
  expect((await asOther(bind)).stderr).toContain('EACCES');
});

async function openWebSocket(): Promise<Socket> {
  const socket = connect(80, box.address);
  socket.write('GET /ws HTTP/1.1\r\nHost: plain.example.com\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

test('a connection can become a WebSocket', async () => {
  const socket = await openWebSocket();
  socket.write('hello');
  expect(String((await once(socket, 'data'))[0])).toBe('hello');
  socket.destroy();
});

test('an express app from the registry answers on another version of Node.js, beside a second server', async () => {
  await box.require(['innkeeper-agent', 'node', 'install', '18'], { timeoutMs: 90_000 });
  expect(await box.require(['innkeeper-agent', 'nodejs', 'list'])).toMatch(/^18\t18\.\d+\.\d+\n20\t20\./);
  await asAccount(
    box,
    spec,
    `cd ${folder(express)}/current; HOME=/home/runner PATH=/opt/innkeeper/node/18/bin:$PATH npm install --registry ${registry.url} express`,
  );
  await settle({ apps: [plain, express] });
  await becomes(express, 'running');
  expect((await visit(box.address, 'express.example.com')).body).toMatch(
    /^express v18\.\d+\.\d+ express\.example\.com$/,
  );
  const log = await asAccount(box, spec, 'cat ~runner/logs/app-2.log');
  expect(log, 'a second server for the port, as of a framework for ::1, thinks that it listens').toContain(
    '\nbeside\n',
  );
});

test('applies new variables without a refused request', async () => {
  const load = startLoad(box.address, 'plain.example.com', '/', ({ status }) => status === 200);
  const slow = visit(box.address, 'plain.example.com', '/slow');
  await settle({ apps: [{ ...plain, env: [{ name: 'WORD', value: 'two', is_secret: false }] }, express] });
  await waitUntil('the variable', async () => (await ask()).WORD === 'two', LONG);
  expect((await slow).body).toBe('slow');
  const { answered, wrong } = await load.end();
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThan(10);
  await settle({ apps: [plain, express] });
  await waitUntil('what was', async () => (await ask()).WORD === 'one', LONG);
});

test('answers a connection that was opened just before SIGTERM', async () => {
  const { pid } = await ask();
  const visitor = `
    const connection = require('node:net').connect('/run/innkeeper/apps/1.sock');
    connection.pipe(process.stdout);
    setTimeout(() => process.kill(${pid}, 'SIGTERM'), 300);
    setTimeout(() => connection.write('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n'), 600);`;
  const answer = await box.require(['/opt/innkeeper/agent/node', '-e', visitor]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await waitUntil('the next process', async () => (await ask().catch(() => ({ pid }))).pid !== pid, LONG);
});

test('another account reaches neither socket, variables, log nor processes', async () => {
  const { pid } = await ask();
  const attempts = [
    'curl -s --max-time 5 --unix-socket /run/innkeeper/apps/1.sock http://x/',
    'cat /etc/innkeeper/apps/20001/1',
    'ls /etc/innkeeper/apps/20001',
    'cat /home/runner/logs/app-1.log',
    `cat /proc/${pid}/environ`,
  ];
  for (const line of attempts) {
    const { exitCode, stdout } = await asOther(line);
    expect([line, exitCode === 0, stdout]).toEqual([line, false, '']);
  }
  const shown = await asOther(
    `systemctl show ${unit(plain)}.service; systemctl cat ${unit(plain)}.service; ps axww`,
  );
  expect(shown.stdout).not.toContain('sesame-5c1e');
});

test('a program over its memory limit is killed in the slice and restarted', async () => {
  const { pid } = await ask();
  await visit(box.address, 'plain.example.com', '/eat');
  await waitUntil('another process', async () => (await ask().catch(() => ({ pid }))).pid !== pid, LONG);
  expect((await visit(box.address, 'express.example.com')).status).toBe(200);
});

test('manual changes are repaired', async () => {
  await box.require(['systemctl', 'stop', `${unit(plain)}.socket`, `${unit(plain)}.service`]);
  await look();
  await waitUntil(
    'the program',
    async () => (await visit(box.address, 'plain.example.com')).status === 200,
    LONG,
  );
  await box.require(['rm', '/run/innkeeper/apps/1.sock']);
  await look();
  await waitUntil(
    'the socket',
    async () => (await visit(box.address, 'plain.example.com')).status === 200,
    LONG,
  );
});

test('a program that crashes repeatedly is failed, with the end of its log, until something changes', async () => {
  await write(plain, plainFiles('console.log("about to break"); throw new Error("it broke");'));
  await settle({ apps: [anew(plain, 1), express] });
  const reason = await becomes(plain, 'failed');
  expect(reason).toContain('about to break');
  expect(reason).toContain('Error: it broke');
  for (const method of ['GET', 'POST'] as const)
    expect((await visit(box.address, 'plain.example.com', '/', { method })).status).toBe(502);
  const starts = async () =>
    (await asAccount(box, spec, 'cat ~runner/logs/app-1.log')).split(' start\n').length;
  const before = await starts();
  await write(plain, plainFiles(PLAIN));
  await look();
  await settle();
  expect(await starts()).toBe(before);
  await settle({ apps: [anew(plain, 2), express] });
  await becomes(plain, 'running');
  expect((await visit(box.address, 'plain.example.com')).status).toBe(200);
}, 180_000);

test('a program that listens on a port of its own is reported, and visitors get 502 at once until it uses $PORT', async () => {
  const elsewhere = `
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
createServer().listen(3456);
const server = createServer((request, response) => response.end('late'));
setInterval(() => server.listening || (existsSync('listen') && server.listen(process.env.PORT)), 200);`;
  await write(plain, plainFiles(elsewhere));
  await settle({ apps: [anew(plain, 6), express] });
  const reason = () => statusOf(plain)?.reason ?? '';
  await waitUntil('the status', () => reason().includes('It listens on port 3456 instead.'), LONG);
  expect(statusOf(plain)?.status).toBe('running');
  const askedAt = performance.now();
  for (let round = 0; round < 5; round += 1)
    expect((await visit(box.address, 'plain.example.com')).status).toBe(502);
  expect(performance.now() - askedAt).toBeLessThan(5_000);
  await write(plain, { listen: '' });
  const body = async () => (await visit(box.address, 'plain.example.com')).body;
  await waitUntil('the site', async () => (await body()) === 'late', LONG);
  await look();
  await waitUntil('the status', () => reason() === '', LONG);
}, 180_000);

test('an open WebSocket does not delay the next program', async () => {
  await write(plain, plainFiles(PLAIN));
  await settle({ apps: [anew(plain, 7), express] });
  await becomes(plain, 'running');
  const socket = await openWebSocket();
  const askedAt = performance.now();
  await settle({ apps: [anew(plain, 8), express] });
  await becomes(plain, 'running');
  expect(performance.now() - askedAt).toBeLessThan(7_000);
  socket.destroy();
}, 120_000);

test('a failed program starts again after a stop and a start', async () => {
  await write(plain, plainFiles('throw new Error("it broke again");'));
  await settle({ apps: [anew(plain, 4), express] });
  expect(await becomes(plain, 'failed')).toContain('Error: it broke again');
  await settle({ apps: [{ ...anew(plain, 4), desired_state: 'stopped' }, express] });
  await becomes(plain, 'stopped');
  await write(plain, plainFiles(PLAIN));
  await settle({ apps: [anew(plain, 4), express] });
  await becomes(plain, 'running');
  expect((await visit(box.address, 'plain.example.com')).status).toBe(200);
}, 180_000);

test('the log of a program is rotated', async () => {
  const loud = `${PLAIN}\nfor (let at = 0; at < 30_000; at += 1) console.log('x'.repeat(99));`;
  await write(plain, plainFiles(loud));
  await settle({ apps: [anew(plain, 3), express] });
  const sizes = async () =>
    (await asAccount(box, spec, 'stat -c %s ~runner/logs/app-1.log ~runner/logs/app-1.log.1'))
      .trim()
      .split('\n')
      .map(Number);
  await waitUntil('the log', async () => (await sizes())[0]! > 500_000);
  for (const size of await sizes()) expect(size).toBeLessThan(1_200_000);
  await write(plain, plainFiles(PLAIN));
});

test('a stop sends SIGTERM, and the app can be started again', async () => {
  await settle({ apps: [{ ...plain, desired_state: 'stopped' }, express] });
  await becomes(plain, 'stopped');
  expect((await visit(box.address, 'plain.example.com')).status).toBe(503);
  expect(await box.require(['systemctl', 'list-units', '--plain', '--no-legend', `${unit(plain)}.*`])).toBe(
    '',
  );
  await settle({ apps: [plain, express] });
  await becomes(plain, 'running');
});

test('programs of a suspended account neither run nor restart, and are unchanged afterwards', async () => {
  await settle({ desired_state: 'suspended' });
  expect((await box.exec(['pgrep', '--uid', '20001'])).stdout).toBe('');
  await box.exec(['systemctl', 'start', '--no-block', `multi-user.target`]);
  await visit(box.address, 'plain.example.com');
  expect((await box.exec(['pgrep', '--uid', '20001'])).stdout).toBe('');
  await settle({ desired_state: 'active' });
  await becomes(plain, 'running');
  expect((await ask()).WORD).toBe('one');
});

test('a release whose program exits at its start is replaced by the previous one, and a rollback takes less than 10 s', async () => {
  const site = 'deployed.example.com';
  const deploys = new Deploys(
    server,
    specOf({
      account_id: 3,
      linux_user: 'deployer',
      uid: 20_003,
      domains: [{ ...domain(3, site), is_primary: true }],
    }),
  );
  expect(await server.settle(deploys.spec)).toMatchObject({ outcome: 'applied' });
  const answering = (text: string) =>
    makeZip([
      {
        name: 'server.js',
        data: `require('node:http').createServer((_, it) => it.end('${text}')).listen(process.env.PORT)`,
      },
    ]);
  deploys.wantApp(3, { ...nodeApp(3, { domain_id: 3 }), release: null });
  const first = deploys.deploy(3, answering('one'));
  await deploys.settled(3, 'running', 90_000);
  expect((await visit(box.address, site)).body).toBe('one');
  deploys.deploy(3, makeZip([{ name: 'server.js', data: 'throw new Error("it broke at its start")' }]));
  const { reason, release_id } = await deploys.settled(3, 'failed', 90_000);
  expect(reason).toContain('it broke at its start');
  expect(Number(release_id)).toBe(first);
  expect(await visit(box.address, site)).toMatchObject({ status: 200, body: 'one' });
  const good = deploys.spec;
  deploys.deploy(3, answering('two'));
  await deploys.settled(3, 'running', 90_000);
  expect((await visit(box.address, site)).body).toBe('two');
  const { release } = good.apps.find(({ app_id }) => app_id === 3)!;
  const askedAt = performance.now();
  deploys.wantApp(3, { release: { ...release!, release_id: first } });
  await deploys.settled(3, 'running', 90_000);
  expect((await visit(box.address, site)).body).toBe('one');
  expect(performance.now() - askedAt).toBeLessThan(10_000);
  await server.settle({ ...deploys.spec, generation: deploys.spec.generation + 1, desired_state: 'absent' });
}, 300_000);

test('programs start at boot without the agent and the control plane', async () => {
  await box.require(['systemctl', 'disable', 'innkeeper-agent']);
  const { boxes } = await testInstallation();
  await boxes.stop('programs');
  await boxes.start('programs');
  expect((await ask()).WORD).toBe('one');
  await waitUntil(
    'the other',
    async () => (await visit(box.address, 'express.example.com')).status === 200,
    LONG,
  );
  await box.require(['systemctl', 'enable', '--now', 'innkeeper-agent']);
});

test('nothing is left of a removed app or its account', async () => {
  await settle({ apps: [{ ...plain, desired_state: 'absent' }, express] });
  const find = [
    '/etc',
    '/run',
    '/home/runner/logs',
    '-name',
    '*app-1.*',
    '-o',
    '-name',
    '*@1.*',
    '-o',
    '-name',
    '1.sock',
  ];
  expect((await box.exec(['find', ...find])).stdout).toBe('');
  expect((await visit(box.address, 'express.example.com')).status).toBe(200);
  await settle({ apps: [], desired_state: 'absent' });
  expect(await findRemains(box, spec, ['plain.example.com'])).toEqual([]);
});
