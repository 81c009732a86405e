import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** Bandwidth on a real hosting server: the bytes that visitors received, exactly, and the behaviour above the limit. */
let server: AgentBox;
let box: Box;
const KILLS = 50;
/** Six visitors at this pace fill a log in a few seconds, so the agent has seen each log long before it is full. */
const VISIT_EVERY_MS = 50;
const STATE = '/var/lib/innkeeper/agent/traffic.json';
const LOGS = '/var/log/innkeeper';

const accountOf = (id: number, linux_user: string): AccountSpec =>
  specOf({
    account_id: id,
    uid: 20_000 + id,
    linux_user,
    domains: [
      domainOf(id, `${linux_user}.example.com`),
      domainOf(id + 10, `${linux_user}.example.net`, { is_primary: false }),
    ],
  });
const accounts = [accountOf(1, 'reader'), accountOf(2, 'writer'), accountOf(3, 'printer')];
const heavy = accountOf(4, 'heavy');
const generations = new Map<number, number>();

async function settle(spec: AccountSpec, changes: Partial<AccountSpec> = {}) {
  const generation = (generations.get(spec.account_id) ?? 0) + 1;
  generations.set(spec.account_id, generation);
  return await server.settle({ ...spec, ...changes, generation });
}

async function writePage(spec: AccountSpec, name: string, bytes: number): Promise<void> {
  const root = `/home/${spec.linux_user}/domains/${spec.domains[0]!.name}/public_html`;
  await asAccount(box, spec, `umask 022; head -c ${bytes} /dev/zero > ${root}/${name}`);
}

/** Sends a request over a new connection. Returns the number of received bytes, headers included. */
async function received(host: string, path: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const socket = connect(80, box.address);
    socket.on('error', reject);
    socket.resume();
    socket.on('close', () => resolve(socket.bytesRead));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

/** Bytes of this month by uid, as stored by the agent. */
async function counted(): Promise<Record<string, number>> {
  const { months } = JSON.parse(await box.readFile(STATE)) as {
    months: Record<string, Record<string, number>>;
  };
  return months[new Date().toISOString().slice(0, 7)] ?? {};
}

/** Returns whether the agent has seen the log that nginx writes to, and the log is far from full. */
async function hasBegunFile(): Promise<boolean> {
  const [device, inode, size] = (await box.require(['stat', '-c', '%d %i %s', `${LOGS}/traffic.log`]))
    .trim()
    .split(' ');
  const { files } = JSON.parse(await box.readFile(STATE)) as { files: { id: string }[] };
  return files.some(({ id }) => id === `${device}:${inode}`) && Number(size) < 300_000;
}

const rotations = async () =>
  (await box.require(['find', LOGS, '-name', 'traffic-*.log'])).split('\n').filter(Boolean);

beforeAll(async () => {
  server = await startAgentBox('usage');
  box = server.box;
  await box.require([
    'sh',
    '-ec',
    `echo "log_format aside '\\$innkeeper_uid \\$bytes_sent';" > /etc/nginx/conf.d/aside.conf
     # The agent puts back what differs from its release.
     for file in /opt/innkeeper/agent/files/etc/nginx/innkeeper/every-site.conf /etc/nginx/innkeeper/every-site.conf; do
       sed -i '/^access_log/a access_log /var/log/nginx/aside.log aside;' $file
     done
     systemctl restart nginx`,
  ]);
  await server.configure({ INNKEEPER_TRAFFIC_READ_MS: 100, INNKEEPER_TRAFFIC_LOG_MB: 1 });
  for (const spec of [...accounts, heavy]) expect(await settle(spec)).toMatchObject({ outcome: 'applied' });
  for (const spec of accounts) await writePage(spec, 'page.bin', 700 * spec.account_id);
});

afterAll(() => server.remove());

describe('bandwidth', () => {
  test(`is counted to the byte while the agent is killed ${KILLS} times and the log is rotated, by the agent and by others`, {
    timeout: 300_000,
  }, async () => {
    const sums = new Map(accounts.map(({ uid }) => [`${uid}`, 0]));
    let ended = false;
    const visitor = async (spec: AccountSpec, at: number) => {
      for (let request = 0; !ended; request += 1) {
        const { name } = spec.domains[request % 2]!;
        // A long request makes a long line, so the log is soon full.
        const path = `/page.bin?${at}-${request}-${'x'.repeat(3_000)}`;
        const bytes = await received(name, path);
        sums.set(`${spec.uid}`, sums.get(`${spec.uid}`)! + bytes);
        await delay(VISIT_EVERY_MS);
      }
    };
    const visitors = accounts.flatMap((spec) => [visitor(spec, 1), visitor(spec, 2)]);
    const otherHands = [
      `mv ${LOGS}/traffic.log ${LOGS}/moved.log`,
      `mv ${LOGS}/traffic.log ${LOGS}/told.log; kill -USR1 $(cat /run/nginx.pid)`,
      'systemctl reload nginx',
    ];
    try {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const before = await server.restarts();
        await box.require(['systemctl', 'kill', '--signal=KILL', 'innkeeper-agent']);
        await waitUntil('systemd to start the agent again', async () => (await server.restarts()) > before);
        const hand = otherHands[kill / 10 - 1];
        if (hand !== undefined) {
          // Long before the agent's own next rotation: of two rotations at the same moment, the file in the middle is
          // lost.
          await waitUntil('the agent to have begun a file', hasBegunFile, { timeoutMs: 60_000 });
          await box.require(['sh', '-ec', hand]);
        }
      }
    } finally {
      ended = true;
    }
    await Promise.all(visitors);

    const wanted = Object.fromEntries(sums);
    await waitUntil(
      'the agent to have counted it all',
      async () => {
        expect(await counted()).toEqual(wanted);
        return true;
      },
      { timeoutMs: 30_000, everyMs: 200 },
    );
    const aside = await box.require([
      'awk',
      'NF == 2 { sum[$1] += $2 } END { for (uid in sum) printf "%s %d\\n", uid, sum[uid] }',
      '/var/log/nginx/aside.log',
    ]);
    expect(
      Object.fromEntries(
        aside
          .trim()
          .split('\n')
          .map((line) => line.split(' ')),
      ),
    ).toEqual(Object.fromEntries([...sums].map(([uid, bytes]) => [uid, `${bytes}`])));
    expect((await rotations()).length).toBeGreaterThan(3);
    expect(await server.metric('innkeeper_agent_traffic_refused_lines_total')).toBe(0);
    expect(await server.metric('innkeeper_agent_traffic_lost_files_total')).toBe(0);
  });

  test('is counted by site and status from fields that stand before what a visitor chooses', async () => {
    const { uid, domains } = accounts[0]!;
    const { name } = domains[0]!;
    await received(name, '/no-such-page?"status":502');
    await expect
      .poll(async () => await box.require(['tail', '-n', '5', `${LOGS}/traffic.log`]))
      .toMatch(new RegExp(`"uid":"${uid}","sent":\\d+,"status":404,"host":"${name}","received"`));
  });

  test('is counted from a log that no account can read', async () => {
    await expect(asAccount(box, accounts[0]!, `ls ${LOGS}`)).rejects.toThrow('Permission denied');
    await expect(asAccount(box, accounts[0]!, `cat ${LOGS}/traffic.log`)).rejects.toThrow(
      'Permission denied',
    );
  });

  test('above the limit, the account’s sites answer 509 until the limit rises; a restart keeps the total', async () => {
    const limits = (bandwidth_mb: number) => ({ limits: { ...heavy.limits, bandwidth_mb } });
    const statuses = async () =>
      await Promise.all(heavy.domains.map(async ({ name }) => (await visit(box.address, name)).status));
    const limit = Math.floor(((await counted())[`${heavy.uid}`] ?? 0) / 2 ** 20) + 1;
    await writePage(heavy, 'big.bin', 600_000);
    expect(await settle(heavy, limits(limit))).toMatchObject({ outcome: 'applied' });
    expect(await statuses()).toEqual([200, 200]);
    const { name } = heavy.domains[0]!;
    await received(name, '/big.bin');
    await received(name, '/big.bin');
    await waitUntil('509', async () => (await statuses()).every((status) => status === 509));
    expect((await visit(box.address, name)).body).toContain('<html');
    expect((await visit(box.address, accounts[0]!.domains[0]!.name)).status).toBe(200);

    await box.require(['systemctl', 'restart', 'innkeeper-agent']);
    await waitUntil('the agent', async () => (await server.status()).ready);
    expect(await statuses()).toEqual([509, 509]);
    expect(await server.metric('innkeeper_agent_nginx_reloads_total')).toBe(0);

    expect(await settle(heavy, limits(limit + 100))).toMatchObject({ outcome: 'applied' });
    expect(await statuses()).toEqual([200, 200]);
    expect(await settle(heavy, limits(limit))).toMatchObject({ outcome: 'applied' });
    expect(await statuses()).toEqual([509, 509]);
  });

  test('totals are removed with the account', async () => {
    expect(await counted()).toHaveProperty(`${heavy.uid}`);
    expect(await settle(heavy, { desired_state: 'absent' })).toMatchObject({ outcome: 'absent' });
    expect(await counted()).not.toHaveProperty(`${heavy.uid}`);
    expect(
      await findRemains(
        box,
        heavy,
        heavy.domains.map(({ name }) => name),
      ),
    ).toEqual([]);
    expect(await counted()).toHaveProperty(`${accounts[0]!.uid}`);
  });
});
