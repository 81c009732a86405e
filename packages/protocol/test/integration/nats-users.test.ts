import { subjects } from '@innkeeper/protocol';
import { generateNatsUserKey, signNodeNatsUser } from '@innkeeper/protocol/nats';
import { startTestNats, type TestNats, waitUntil } from '@innkeeper/testkit';
import { connect, credsAuthenticator, jwtAuthenticator, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let nats: TestNats;
beforeAll(async () => {
  nats = await startTestNats();
});
afterAll(() => nats.remove());

const open: NatsConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

type Authenticator = ReturnType<typeof credsAuthenticator>;

async function connectWith(authenticator: Authenticator, ca = nats.keys.authority.certificatePem) {
  const connection = await connect({ servers: nats.url, tls: { ca }, authenticator, reconnect: false });
  open.push(connection);
  return connection;
}

const connectControlPlane = () => connectWith(credsAuthenticator(nats.keys.natsCredentials));

async function nodeAuthenticator(nodeId: number, certificateExpiresAt = new Date(Date.now() + 3_600_000)) {
  const user = generateNatsUserKey();
  const jwt = await signNodeNatsUser(nats.keys.natsSigner, {
    nodeId,
    publicKey: user.publicKey,
    certificateExpiresAt,
  });
  return jwtAuthenticator(jwt, new TextEncoder().encode(user.seed));
}

const connectNode = async (nodeId: number) => connectWith(await nodeAuthenticator(nodeId));

/** Returns the messages of a subscription, or the refusal of the server. */
function listen(connection: NatsConnection, subject: string) {
  const heard: string[] = [];
  const refused: string[] = [];
  connection.subscribe(subject, {
    callback: (error, message) => void (error ? refused.push(error.message) : heard.push(message.string())),
  });
  return { heard, refused };
}

/** The connection reports permission errors of publishing as events. */
function collectErrors(connection: NatsConnection): string[] {
  const errors: string[] = [];
  void (async () => {
    for await (const event of connection.status())
      if (event.type === 'error') errors.push(event.error.message);
  })();
  return errors;
}

describe('the NATS user of a node', () => {
  it('receives the wakes of its node', async () => {
    const [control, node] = [await connectControlPlane(), await connectNode(3)];
    const { heard } = listen(node, subjects.nodeWake(3));
    await node.flush();
    control.publish(subjects.nodeWake(3), 'wake');
    await waitUntil('the wake', () => heard.length > 0);
    expect(heard).toEqual(['wake']);
  });

  it('answers a question on its own reply subject', async () => {
    const [control, node] = [await connectControlPlane(), await connectNode(3)];
    node.subscribe(subjects.anyNodeAsk(3), {
      callback: (_, message) => void message.respond(`about ${message.subject.split('.').at(-1)}`),
    });
    await node.flush();
    const reply = `${subjects.nodeReplyPrefix(3)}.1`;
    const { heard } = listen(control, reply);
    control.publish(subjects.nodeAsk(3, 'usage'), '', { reply });
    await waitUntil('the answer', () => heard.length > 0);
    expect(heard).toEqual(['about usage']);
  });

  it.each([
    ['another node’s wakes', subjects.nodeWake(4)],
    ['another node’s questions', subjects.anyNodeAsk(4)],
    ['all inboxes', '_INBOX.>'],
    ['all nodes', 'innkeeper.node.*.wake'],
    ['everything', '>'],
    ['replies of its own node', subjects.anyNodeReply(3)],
    ['what accounts report', subjects.anyAccountObserved],
    ['revoked tokens', subjects.tokenRevoked],
  ])('cannot listen to %s', async (_, subject) => {
    const node = await connectNode(3);
    const { refused, heard } = listen(node, subject);
    await waitUntil('the refusal', () => refused.length > 0);
    expect(heard).toEqual([]);
    expect(refused[0]).toMatch(/Permissions Violation for Subscription/i);
  });

  it.each([
    ['a wake of its own node', subjects.nodeWake(3)],
    ['a wake of another node', subjects.nodeWake(4)],
    ['a question', subjects.nodeAsk(3, 'usage')],
    ['a reply of another node', `${subjects.nodeReplyPrefix(4)}.1`],
    ['an observed status', subjects.accountObserved(1)],
    ['a revoked token', subjects.tokenRevoked],
    ['an inbox', '_INBOX.abc'],
  ])('cannot publish %s', async (_, subject) => {
    const [control, node] = [await connectControlPlane(), await connectNode(3)];
    const { heard } = listen(control, subjects.any);
    await control.flush();
    const errors = collectErrors(node);
    node.publish(subject, 'forged');
    await node.flush();
    await waitUntil('the refusal', () => errors.length > 0);
    expect(errors[0]).toMatch(/Permissions Violation for Publish/i);
    await control.flush();
    expect(heard).toEqual([]);
  });

  it('is refused after it expires', async () => {
    const authenticator = await nodeAuthenticator(3, new Date(Date.now() - 2 * 3_600_000));
    await expect(connectWith(authenticator)).rejects.toThrow(/authorization|expired/i);
  });
});

describe('the NATS server', () => {
  it('refuses a client without a user', async () => {
    const { certificatePem } = nats.keys.authority;
    await expect(
      connect({ servers: nats.url, tls: { ca: certificatePem }, reconnect: false }),
    ).rejects.toThrow(/authorization/i);
  });

  it('refuses a user of another account', async () => {
    const other = await startTestNats({ ownKeys: true });
    try {
      await expect(connectWith(credsAuthenticator(other.keys.natsCredentials))).rejects.toThrow(
        /authorization/i,
      );
    } finally {
      await other.remove();
    }
  });

  it('is refused with a certificate of another authority', async () => {
    const other = await startTestNats({ ownKeys: true });
    try {
      const authenticator = credsAuthenticator(nats.keys.natsCredentials);
      await expect(connectWith(authenticator, other.keys.authority.certificatePem)).rejects.toThrow();
    } finally {
      await other.remove();
    }
  });
});

it('the control plane receives only its own subjects', async () => {
  const control = await connectControlPlane();
  const { refused } = listen(control, '_INBOX.>');
  await waitUntil('the refusal', () => refused.length > 0);
});
