import { type AskVerb, subjects, type WakeMessage } from '@innkeeper/protocol';
import type { NodeIdentity } from '@innkeeper/protocol/client';
import { generateNatsUserKey, signNodeNatsUser } from '@innkeeper/protocol/nats';
import { startTestNats, type TestNats, waitUntil } from '@innkeeper/testkit';
import { connect, credsAuthenticator, errors, nuid } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Doorbell, openDoorbell } from '../../src/control-plane/nats-doorbell.ts';

let nats: TestNats;
let identity: NodeIdentity;
let doorbell: Doorbell | undefined;
const wakes: WakeMessage[] = [];
let connects = 0;
let losses = 0;

beforeAll(async () => {
  nats = await startTestNats();
  identity = await identityOf(3, nats.url);
});
afterAll(() => nats.remove());
beforeEach(async () => {
  await nats.start();
  wakes.length = 0;
  connects = 0;
  losses = 0;
});
afterEach(async () => {
  await doorbell?.close();
  doorbell = undefined;
});

const HOUR_MS = 3_600_000;

/** `holdsMs`: how long NATS accepts the user, which is one hour longer than the certificate is valid. */
async function identityOf(nodeId: number, url: string, holdsMs = HOUR_MS): Promise<NodeIdentity> {
  const user = generateNatsUserKey();
  const certificateExpiresAt = new Date(Date.now() + holdsMs - HOUR_MS);
  return {
    node_id: nodeId,
    ca_pem: nats.keys.authority.certificatePem,
    nats_url: url,
    nats_seed: user.seed,
    nats_jwt: await signNodeNatsUser(nats.keys.natsSigner, {
      nodeId,
      publicKey: user.publicKey,
      certificateExpiresAt,
    }),
  } as NodeIdentity;
}

const warnings: object[] = [];

function open(newest: () => NodeIdentity = () => identity): void {
  const silent = () => {};
  doorbell = openDoorbell({
    identity: newest,
    onWake: (message) => wakes.push(message),
    onConnected: () => {
      connects += 1;
    },
    onLost: () => {
      losses += 1;
    },
    log: {
      debug: silent,
      info: silent,
      warn: (fields: object) => void warnings.push(fields),
      error: silent,
      fatal: silent,
    },
  });
}

async function ring(subject: string, ...payloads: string[]): Promise<void> {
  const control = await connect({
    servers: nats.url,
    tls: { ca: nats.keys.authority.certificatePem },
    authenticator: credsAuthenticator(nats.keys.natsCredentials),
  });
  for (const payload of payloads) control.publish(subject, payload);
  await control.drain();
}

const connected = (times: number) =>
  waitUntil(`connection ${times}`, () => connects >= times, { timeoutMs: 20_000 });
const wake = JSON.stringify({ account_id: 7, generation: 2 });

it('receives the wakes of its node only', async () => {
  open();
  await connected(1);
  await ring(subjects.nodeWake(4), wake);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
  expect(wakes).toEqual([{ account_id: 7, generation: 2 }]);
});

it('ignores malformed wakes', async () => {
  open();
  await connected(1);
  const garbage = ['', '{', 'null', '[]', '{"account_id":"7"}', '{"account_id":7,"generation":0}'];
  await ring(subjects.nodeWake(3), ...garbage, wake);
  await waitUntil('the wake', () => wakes.length > 0);
  expect(wakes).toEqual([{ account_id: 7, generation: 2 }]);
});

it('waits for a NATS server that has not started yet', async () => {
  await nats.stop();
  open();
  await nats.start();
  await connected(1);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
});

it('reconnects with the newest user after the server was down, and reports it', async () => {
  let newest = identity;
  open(() => newest);
  await connected(1);
  await nats.stop();
  newest = await identityOf(3, nats.url);
  await nats.start();
  await connected(2);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
});

it('reconnects with the newest user after its user expires', async () => {
  let newest = await identityOf(3, nats.url, 2_000);
  open(() => newest);
  await connected(1);
  newest = identity;
  await connected(2);
  await ring(subjects.nodeWake(3), wake);
  await waitUntil('the wake', () => wakes.length > 0);
});

describe('requests of the control plane', () => {
  const question = { account_ids: [7] };
  const answer = {
    month: '2026-11',
    accounts: [{ account_id: 7, disk_used_mb: 1, bandwidth_used_mb: 2, cpu_used_percent: 3, ram_used_mb: 4 }],
  };

  /** The result for the control plane: the answer, `nobody` when nobody subscribes, `nothing` when nobody answers. */
  async function ask(
    payload: string,
    { verb = 'usage', replyTo = subjects.nodeReplyPrefix(3) }: { verb?: AskVerb; replyTo?: string } = {},
  ): Promise<unknown> {
    const control = await connect({
      servers: nats.url,
      tls: { ca: nats.keys.authority.certificatePem },
      authenticator: credsAuthenticator(nats.keys.natsCredentials),
    });
    const options = { noMux: true, reply: `${replyTo}.${nuid.next()}`, timeout: 300 };
    const reply = await control.request(subjects.nodeAsk(3, verb), payload, options).then(
      (message) => message.json(),
      (error) => (error instanceof errors.TimeoutError ? 'nothing' : 'nobody'),
    );
    await control.close();
    return reply;
  }
  const asked = JSON.stringify(question);

  it('are answered by their listener, which is registered before or after the connection', async () => {
    const seen: unknown[] = [];
    open();
    doorbell?.onAsk('usage', async (usage) => {
      seen.push(usage);
      return answer;
    });
    await connected(1);
    expect(await ask(asked)).toEqual(answer);
    expect(seen).toEqual([question]);
    const stop = doorbell?.onAsk('app-log', async ({ lines }) => ({ lines: [`${lines}`] }));
    const log = JSON.stringify({ account_id: 7, app_id: 1, lines: 5 });
    await waitUntil('the answer', async () => (await ask(log, { verb: 'app-log' })) !== 'nobody');
    expect(await ask(log, { verb: 'app-log' })).toEqual({ lines: ['5'] });
    stop?.();
    await waitUntil('the end of it', async () => (await ask(log, { verb: 'app-log' })) === 'nobody');
  });

  it('without a listener are answered with an error at once', async () => {
    open();
    await connected(1);
    expect(await ask(asked)).toBe('nobody');
  });

  it('are still answered after the server was down', async () => {
    open();
    doorbell?.onAsk('usage', async () => answer);
    await connected(1);
    expect(losses).toBe(0);
    await nats.stop();
    await waitUntil('the loss', () => losses > 0);
    await nats.start();
    await connected(2);
    await waitUntil('the answer', async () => (await ask(asked)) !== 'nobody');
    expect(await ask(asked)).toEqual(answer);
  });

  it('that are malformed or fail get no answer, and the next one does', async () => {
    open();
    let fails = false;
    doorbell?.onAsk('usage', async () => {
      if (fails) throw new Error('The disk is on fire.');
      return answer;
    });
    await connected(1);
    const garbage = [
      '',
      '{',
      'null',
      '[]',
      '{"account_ids":[]}',
      '{"account_ids":["7"]}',
      `{"account_ids":[${'7,'.repeat(1_000)}7]}`,
    ];
    for (const payload of garbage) expect(await ask(payload), payload.slice(0, 30)).toBe('nothing');
    fails = true;
    warnings.length = 0;
    expect(await ask(asked)).toBe('nothing');
    expect(warnings).toMatchObject([{ verb: 'usage' }]);
    fails = false;
    expect(await ask(asked)).toEqual(answer);
  });

  it('are answered only below the node’s own prefix', async () => {
    open();
    let calls = 0;
    doorbell?.onAsk('usage', async () => {
      calls += 1;
      return answer;
    });
    await connected(1);
    for (const replyTo of [subjects.nodeReplyPrefix(4), 'innkeeper.node.3.wake', 'innkeeper.token'])
      expect(await ask(asked, { replyTo }), replyTo).toBe('nothing');
    expect(calls).toBe(0);
  });

  it('get no answer beyond eight at once', async () => {
    open();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    doorbell?.onAsk('usage', async () => {
      calls += 1;
      await gate;
      return answer;
    });
    await connected(1);
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(asked)));
    expect(replies).toEqual(Array.from({ length: 20 }, () => 'nothing'));
    expect(calls).toBe(8);
    release();
    await waitUntil('an answer', async () => (await ask(asked)) !== 'nothing');
  });
});

it('logs nothing and closes at once without NATS', async () => {
  open(() => ({ ...identity, nats_url: null }));
  await doorbell?.close();
  expect([connects, losses]).toEqual([0, 0]);
});

it('ends at once while it waits for a server', async () => {
  await nats.stop();
  open();
  await doorbell?.close();
  expect(connects).toBe(0);
});
