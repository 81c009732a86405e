import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { subjects } from '@innkeeper/protocol';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import { createToken, revokeToken } from '@innkeeper/services';
import { freePort, waitUntil } from '@innkeeper/testkit';
import { connect, credsAuthenticator } from 'nats';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Instance, useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
/** A second instance. The node has its session with the first one. */
let other: Instance;
beforeAll(async () => {
  other = await rig.addInstance({ rateLimits: { user: 5, health: 0, sso: 0 } });
});

const newToken = (user = 'root-admin') => createToken(rig.operator, { user, name: 'new', abilities: ['*'] });
const statusesOf = async (token: string) => [
  (await rig.ask('me', { token })).status,
  (await other.ask('me', { token })).status,
];
const freshWindows = () => rig.db.deleteFrom('rate_limits').execute();
beforeEach(freshWindows);

describe('two instances', () => {
  it('one instance answers a write when the node has reported to the other', async () => {
    const startedAt = performance.now();
    const created = await other.ask('createAccount', { body: rig.accountFields() });
    expect([created.status, created.body.data.synced]).toEqual([201, true]);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    const { id } = created.body.data;
    expect((await rig.ask('getAccount', { id })).body).toEqual(created.body);
  });

  it('both instances refuse a revoked token as soon as NATS tells them', async () => {
    const { plain_token, token } = await newToken('acme');
    expect(await statusesOf(plain_token)).toEqual([200, 200]);
    await revokeToken(rig.operator, { token_id: token.id });
    const { credentials, caPem } = readNatsCredentials(rig.nats.keysDir);
    const authenticator = credsAuthenticator(credentials);
    const connection = await connect({ servers: rig.nats.url, tls: { ca: caPem }, authenticator });
    connection.publish(subjects.tokenRevoked, JSON.stringify({ token_id: token.id }));
    await connection.drain();
    await waitUntil('the refusal', async () => String(await statusesOf(plain_token)) === '401,401', {
      timeoutMs: 1_500,
    });
  });

  it('after one instance stops the other keeps working, and the idempotency keys stay valid', async () => {
    const third = await rig.addInstance();
    const [body, headers] = [rig.accountFields(), { 'Idempotency-Key': 'moves-on' }];
    const first = await third.ask('createAccount', { body, headers });
    await third.stop();
    const again = await rig.ask('createAccount', { body, headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });
});

it('another instance continues a write whose process was killed after the commit', async () => {
  const doomed = await startProcess();
  rig.node.behaviour.delayMs = () => 1_000;
  const [body, headers] = [rig.accountFields(), { 'Idempotency-Key': 'survives' }];
  const cutOff = fetch(`${doomed.url}/accounts`, {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${rig.adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const lost = expect(cutOff).rejects.toThrow();
  const committed = rig.db.selectFrom('accounts').select('id').where('username', '=', body.username);
  await waitUntil('the commit', async () => (await committed.execute()).length === 1);
  await doomed.kill();
  await lost;

  // The first instance may still be at work, so the answer is 409 until its lease ends.
  expect((await rig.ask('createAccount', { body, headers })).status).toBe(409);
  await rig.db
    .updateTable('idempotency_keys')
    .set({ leased_until: new Date(0) })
    .execute();
  const { status, body: answer } = await rig.ask('createAccount', { body, headers });
  expect([status, answer.data.id, answer.data.synced]).toEqual([
    201,
    (await committed.executeTakeFirstOrThrow()).id,
    true,
  ]);
  expect(await committed.execute()).toHaveLength(1);
});

describe('two instances without NATS', () => {
  beforeAll(async () => {
    await rig.nats.stop();
    await waitUntil('the loss of NATS', async () => (await rig.ask('ready')).status === 503);
  });

  it('share one rate limit', async () => {
    const { plain_token: token } = await newToken('acme');
    const limited = [other, await rig.addInstance({ rateLimits: { user: 5, health: 0, sso: 0 } })];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => limited[i % 2]!.ask('me', { token })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  it('one answers a write when the node has polled and reported to the other', async () => {
    const body = rig.accountFields();
    const creating = other.ask('createAccount', { body });
    await waitUntil('the account on the node', async () => {
      await rig.node.sync();
      return [...rig.node.accounts.values()].some(({ linux_user }) => linux_user === body.username);
    });
    const { status, body: answer } = await creating;
    expect([status, answer.data.synced]).toEqual([201, true]);
  });

  it('apply a write with a key once', async () => {
    const [body, headers] = [rig.accountFields(), { 'Idempotency-Key': 'without-nats' }];
    const creating = other.ask('createAccount', { body, headers });
    await waitUntil('the account on the node', async () => {
      await rig.node.sync();
      return [...rig.node.accounts.values()].some(({ linux_user }) => linux_user === body.username);
    });
    const first = await creating;
    const again = await rig.ask('createAccount', { body, headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('refuse a revoked token within 5 s', async () => {
    const { plain_token, token } = await newToken('root-admin');
    await freshWindows();
    expect(await statusesOf(plain_token)).toEqual([200, 200]);
    await revokeToken(rig.operator, { token_id: token.id });
    const revokedAt = performance.now();
    for (const instance of [rig, other])
      await waitUntil(
        'the refusal',
        async () => {
          await freshWindows();
          return (await instance.ask('me', { token: plain_token })).status === 401;
        },
        { timeoutMs: 6_000, everyMs: 200 },
      );
    expect(performance.now() - revokedAt).toBeLessThan(5_500);
  });
});

/** Starts another instance as a separate process. */
async function startProcess(): Promise<{ url: string; kill(): Promise<void> }> {
  const [http, grpc, metrics] = [await freePort(), await freePort(), await freePort()];
  const { databaseUrl, keysDir, natsUrl } = rig.config;
  const main = join(import.meta.dirname, '../../../../dist/innkeeper-api.mjs');
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: {
      INNKEEPER_DATABASE_URL: databaseUrl,
      INNKEEPER_KEYS_DIR: keysDir,
      INNKEEPER_NATS_URL: natsUrl,
      INNKEEPER_PUBLIC_HOST: '127.0.0.1',
      INNKEEPER_HTTP_ADDRESS: `127.0.0.1:${http}`,
      INNKEEPER_GRPC_ADDRESS: `127.0.0.1:${grpc}`,
      INNKEEPER_METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const url = `http://127.0.0.1:${http}/api/v1`;
  await waitUntil('the process', async () => (await fetch(`${url}/health`)).ok, { timeoutMs: 30_000 });
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
