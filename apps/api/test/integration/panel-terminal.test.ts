import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Question } from '@innkeeper/protocol';
import type { Channel } from '@innkeeper/protocol/wire';
import { waitUntil } from '@innkeeper/testkit';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { CUSTOMER_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
const sockets: WebSocket[] = [];
let account: { id: number; username: string };
let customer: PageVisitor;

beforeAll(async () => {
  account = await rig.createAccount({ terminal_access: true });
  customer = new PageVisitor(rig.origin);
  await customer.signIn(account.username, CUSTOMER_PASSWORD);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

interface Opened {
  socket: WebSocket;
  /** All bytes of the shell. */
  received(): Buffer;
  /** Code and reason of the end. */
  closed: Promise<{ code: number; reason: string }>;
}

const newSession = () => randomBytes(16).toString('hex');

/** Opens a terminal as the page does. Rejects with the status of a refusal. */
async function open({
  visitor = customer,
  origin = rig.origin,
  headers = {},
  path = '/terminal/socket',
  session = newSession(),
} = {}): Promise<Opened> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const url = `${origin.replace('http', 'ws')}${path}?session=${session}&columns=80&rows=24`;
  const socket = new WebSocket(url, { headers: { Cookie: cookie, Origin: origin, ...headers } });
  sockets.push(socket);
  const chunks: Buffer[] = [];
  socket.on('message', (data: Buffer) => chunks.push(data));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_, { statusCode }) => reject(new Error(`status ${statusCode}`)));
    socket.once('error', () => {});
  });
  return { socket, received: () => Buffer.concat(chunks), closed };
}

const auditOf = async (action: string) =>
  await rig.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', action)
    .where('account_id', '=', account.id)
    .execute();

describe('the terminal', () => {
  it('passes bytes in both directions, in order', async () => {
    const { socket, received } = await open();
    const sent = randomBytes(3_000_000);
    for (let at = 0; at < sent.length; at += 500_000) socket.send(sent.subarray(at, at + 500_000));
    await waitUntil('all bytes to come back', () => received().length >= sent.length);
    expect(received().equals(sent)).toBe(true);
  });

  it('tells the shell its size, at the start and later', async () => {
    const sizes: unknown[] = [];
    rig.node.behaviour.talk = (channel: Channel, { program }: Question<'open-channel'>) => {
      sizes.push(program);
      channel.on('resize', (size) => sizes.push(size));
      channel.resume();
    };
    const session = newSession();
    const { socket } = await open({ session });
    socket.send(JSON.stringify({ type: 'size', columns: 132, rows: 43 }));
    socket.send('no JSON');
    await waitUntil('both sizes', () => sizes.length === 2);
    expect(sizes).toEqual([
      { kind: 'terminal', session, columns: 80, rows: 24 },
      { columns: 132, rows: 43 },
    ]);
  });

  it('does not read more from the shell than the browser takes', async () => {
    let written = 0;
    rig.node.behaviour.talk = (channel: Channel) => {
      const chunk = Buffer.alloc(64 * 1024);
      const fill = () => {
        while (!channel.destroyed && channel.write(chunk)) written += chunk.length;
      };
      channel.on('drain', fill);
      fill();
    };
    const { socket } = await open();
    socket.pause();
    await delay(1_500);
    const before = written;
    await delay(500);
    expect(written).toBe(before);
    expect(written).toBeLessThan(40_000_000);
    socket.resume();
    await waitUntil('the shell to write again', () => written > before);
  });

  it('ends with the shell, within a second', async () => {
    let end = () => {};
    rig.node.behaviour.talk = (channel: Channel) => {
      channel.resume();
      end = () => void channel.end('bye');
    };
    const { received, closed } = await open();
    await waitUntil('the audit row of the opening', async () => (await auditOf('terminal.open')).length > 0);
    const startedAt = performance.now();
    end();
    expect((await closed).code).toBe(4000);
    expect(received().toString()).toBe('bye');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('hangs up when its tab is closed, and leaves the session when the line breaks', async () => {
    const ends: string[] = [];
    rig.node.behaviour.talk = (channel: Channel) => {
      let isHungUp = false;
      channel.on('end', () => {
        isHungUp = true;
        channel.end();
      });
      channel.on('close', () => ends.push(isHungUp ? 'hung up' : 'lost'));
      channel.resume();
    };
    const first = await open();
    first.socket.send(JSON.stringify({ type: 'close' }));
    await first.closed;
    await waitUntil('the hang-up', () => ends.length === 1);
    const second = await open();
    await delay(200);
    second.socket.terminate();
    await waitUntil('the loss of the line', () => ends.length === 2);
    expect(ends).toEqual(['hung up', 'lost']);
  });

  it('tells the browser that the line to the server broke', async () => {
    const { closed } = await open();
    await delay(200);
    const startedAt = performance.now();
    await rig.node.comeBack();
    expect((await closed).code).toBe(4002);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('has an audit row when it opens and when it closes', async () => {
    const { socket, closed } = await open();
    const opened = (await auditOf('terminal.open')).length;
    await waitUntil('the rows of the opening', async () => (await auditOf('terminal.open')).length >= opened);
    socket.close();
    await closed;
    await waitUntil(
      'the row of the closing',
      async () => (await auditOf('terminal.close')).length === (await auditOf('terminal.open')).length,
    );
    const [row] = (await auditOf('terminal.close')).slice(-1);
    expect(row).toMatchObject({ target: `account:${account.id}`, as_user_id: null });
    expect(JSON.parse(`${row?.details}`)).toEqual({ seconds: expect.any(Number) });
  });
});

describe('a terminal is refused', () => {
  it('to other sites, also with the cookie', async () => {
    await expect(open({ headers: { Origin: 'https://evil.example' } })).rejects.toThrow('status 403');
    await expect(open({ headers: { 'Sec-Fetch-Site': 'cross-site' } })).rejects.toThrow('status 403');
  });

  it('to visitors and to operators', async () => {
    await expect(open({ visitor: new PageVisitor(rig.origin) })).rejects.toThrow('status 303');
    const operator = new PageVisitor(rig.origin);
    await operator.signIn('root-admin', 'correct horse battery');
    await expect(open({ visitor: operator })).rejects.toThrow('status 404');
  });

  it('without terminal access', async () => {
    const other = await rig.createAccount({ terminal_access: false });
    const visitor = new PageVisitor(rig.origin);
    await visitor.signIn(other.username, CUSTOMER_PASSWORD);
    const { closed } = await open({ visitor });
    expect(await closed).toEqual({ code: 4001, reason: 'The account has no terminal access.' });
    expect((await visitor.open('/terminal')).text).toContain('has no terminal access');
  });

  it('while the server does not answer', async () => {
    rig.node.behaviour.answer = () => undefined;
    const { closed } = await open();
    expect(await closed).toEqual({
      code: 4001,
      reason: 'The server does not answer now. Try again in a minute.',
    });
  });

  it('for a path that is no socket', async () => {
    await expect(open({ path: '/sites' })).rejects.toThrow('status 200');
    await expect(open({ path: '/terminal' })).rejects.toThrow('status 200');
  });

  it('after the user has signed out', async () => {
    const visitor = new PageVisitor(rig.origin);
    await visitor.signIn(account.username, CUSTOMER_PASSWORD);
    const { closed } = await open({ visitor });
    await visitor.open('/');
    await visitor.send('/logout');
    expect((await closed).code).toBe(4003);
  }, 40_000);
});

describe('the opening of a channel', () => {
  it('is valid once, and only from the node that was asked', async () => {
    const other = await rig.addNode('web2');
    const failures: string[] = [];
    const lose = (channel: Channel) =>
      new Promise<void>((resolve) => {
        channel.on('error', (error) => {
          failures.push(error.message);
          resolve();
        });
        channel.resume();
      });
    rig.node.behaviour.talk = async (channel, question) => {
      // The first byte shows that this one was taken.
      await once(channel, 'data');
      await lose(rig.node.openChannel(question));
      await lose(other.openChannel(question));
      channel.resume();
      channel.end('done');
    };
    const { socket, received, closed } = await open();
    socket.send(Buffer.from('!'));
    await closed;
    expect(received().toString()).toBe('done');
    expect(failures).toHaveLength(2);
    for (const failure of failures) expect(failure).toContain('NOT_FOUND');
  });

  it('of another node does not use it up', async () => {
    const other = await rig.addNode('web3');
    let refusal = '';
    rig.node.behaviour.answer = (_verb, honest, question) => {
      const stolen = other.openChannel(question as Question<'open-channel'>);
      stolen.on('error', ({ message }) => {
        refusal = message;
      });
      stolen.resume();
      return honest;
    };
    const { socket, received } = await open();
    socket.send(Buffer.from('own'));
    await waitUntil('its own bytes', () => received().toString() === 'own' && refusal !== '');
    expect(refusal).toContain('NOT_FOUND');
  });

  it('goes to the instance that asked', async () => {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const second = await rig.addInstance({
      grpc: { host: '127.0.0.1', port },
      grpcOwnAddress: `127.0.0.1:${port}`,
    });
    const { socket, received } = await open({ origin: second.origin });
    socket.send(Buffer.from('to the second'));
    await waitUntil('its bytes', () => received().toString() === 'to the second');
  });
});
