import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AgentBox, startAgentBox } from './agent-box.ts';

/** Sites change by the hundred, and nginx reloads, under the connections of visitors who notice nothing. */
let server: AgentBox;
let box: Box;
const SITES = 10_000;
const SECONDS = 20;
const CHANGES_A_SECOND = 100;
const PIECES = 60;
const APP = '/run/innkeeper/apps/999999.sock';
const HOST = 'app.example.com';
const of = (path: string) => readFile(join(import.meta.dirname, path), 'utf8');

beforeAll(async () => {
  server = await startAgentBox('many-sites');
  box = server.box;
  await box.writeFile('/root/many-sites.pl', await of('many-sites.pl'));
  await box.writeFile('/root/app.mjs', await of('many-sites-app.mjs'));
  await box.require(['perl', '/root/many-sites.pl', 'make', `${SITES}`], { timeoutMs: 120_000 });
  const target = '199999,proxy,nobody,,999999,';
  await box.require([
    'sh',
    '-ec',
    `cd /etc/innkeeper/sites; mkdir ${target}; ln -s ${target} ${HOST}
systemd-run -q --collect --unit=many-sites-app -p Group=www-data -p UMask=0007 /opt/innkeeper/agent/node /root/app.mjs ${APP}`,
  ]);
  await waitUntil('the app', async () => (await box.exec(['test', '-S', APP])).exitCode === 0);
}, 240_000);

afterAll(() => server?.remove());

/** One visitor with one connection: asks again and again until it is ended. Returns the wrong answers. */
function poll() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let ended = false;
  let answered = 0;
  const connections = new Set<Socket>();
  const wrong: string[] = [];
  const ask = async () => {
    const call = request({ host: box.address, path: '/', headers: { host: HOST }, agent });
    call.on('socket', (socket) => connections.add(socket));
    call.end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== 200) wrong.push(`${answer.statusCode}`);
    answered += 1;
  };
  const done = (async () => {
    while (!ended) {
      await ask().catch((error: unknown) => wrong.push(String(error)));
      // nginx closes a connection after 1,000 requests.
      await delay(30);
    }
    agent.destroy();
  })();
  return async () => {
    ended = true;
    await done;
    return { answered, wrong, connections: connections.size };
  };
}

/** Talks over one upgraded connection until it is ended. Returns the number of echoes. */
async function talk() {
  const socket = connect({ host: box.address, port: 80 });
  socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /);
  let ended = false;
  let echoes = 0;
  const closed = once(socket, 'close').then(() => ['closed']);
  const done = (async () => {
    while (!ended) {
      socket.write(`word ${echoes}`);
      const [echo] = (await Promise.race([once(socket, 'data'), closed])) as [Buffer | string];
      expect(String(echo)).toBe(`word ${echoes}`);
      echoes += 1;
      await delay(20);
    }
    socket.destroy();
  })();
  done.catch(() => undefined);
  return async () => {
    ended = true;
    await done;
    return echoes;
  };
}

async function download(): Promise<number> {
  const call = request({
    host: box.address,
    path: `/?pieces=${PIECES}`,
    headers: { host: HOST },
    agent: false,
  });
  call.end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  return bytes;
}

async function upload(): Promise<string> {
  const headers = { host: HOST, 'content-length': PIECES * 1024 };
  const call = request({ host: box.address, method: 'POST', path: '/', headers, agent: false });
  const response = once(call, 'response');
  for (let sent = 0; sent < PIECES; sent += 1) {
    call.write(Buffer.alloc(1024));
    await delay(50);
  }
  call.end();
  const [answer] = (await response) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

/** A download over HTTP/2. Returns its bytes. */
async function downloadHttp2(): Promise<number> {
  const session = connectHttp2(`https://${box.address}`, { rejectUnauthorized: false, servername: HOST });
  const stream = session.request({ ':path': `/?pieces=${PIECES}`, ':authority': HOST });
  let bytes = 0;
  for await (const chunk of stream) bytes += (chunk as Buffer).length;
  session.close();
  return bytes;
}

const workers = async () =>
  (await box.require(['pgrep', '-f', '^nginx: worker process$'])).trim().split('\n').map(Number);
const memoryOf = async (pids: readonly number[]) => {
  const sizes = await Promise.all(
    pids.map((pid) =>
      box.require(['sed', '-n', 's/^RssAnon: *\\t* *\\([0-9]*\\).*/\\1/p', `/proc/${pid}/status`]),
    ),
  );
  return Math.max(...sizes.map(Number));
};
const statusOf = async (name: string) => {
  const call = request({ host: box.address, path: '/', headers: { host: name }, agent: false }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
};

test('100 changes a second among 10,000 sites close no connection, and the memory of nginx does not grow', async () => {
  const pids = await workers();
  expect(await statusOf('many1.example.com')).not.toBe(503);
  const endPoll = poll();
  const endTalk = await talk();
  const before = await memoryOf(pids);
  const changes = box.require(
    ['perl', '/root/many-sites.pl', 'change', `${SITES}`, `${SECONDS}`, `${CHANGES_A_SECOND}`],
    { timeoutMs: 60_000 },
  );
  const downloads = Promise.all([download(), downloadHttp2(), upload()]);
  const made = Number(await changes);
  expect(made).toBeGreaterThan((SECONDS * CHANGES_A_SECOND) / 2);
  expect(await downloads).toEqual([PIECES * 1024, PIECES * 1024, `${PIECES * 1024}`]);
  const polled = await endPoll();
  expect(polled).toMatchObject({ wrong: [], connections: 1 });
  expect(polled.answered).toBeGreaterThan(100);
  expect(await endTalk()).toBeGreaterThan(100);
  expect(await statusOf('many1.example.com')).toBe(503);
  expect(await workers()).toEqual(pids);
  const grown = (await memoryOf(pids)) - before;
  expect(grown).toBeLessThan(1024);
  expect(await server.metric('innkeeper_agent_nginx_reloads_total')).toBe(0);
  console.log(`${made} changes, ${polled.answered} polls, nginx grew by ${grown} KiB`);
}, 120_000);

test('a reload of nginx ends no answer, upload or open connection', { timeout: 60_000 }, async () => {
  const endTalk = await talk();
  const underWay = Promise.all([download(), downloadHttp2(), upload()]);
  for (let times = 0; times < 3; times += 1) {
    await delay(500);
    await box.require(['systemctl', 'reload', 'nginx']);
  }
  expect(await underWay).toEqual([PIECES * 1024, PIECES * 1024, `${PIECES * 1024}`]);
  expect(await endTalk()).toBeGreaterThan(20);
});
