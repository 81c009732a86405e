import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { createDns } from './dns.ts';

const A = 1;
const TXT = 16;
const AAAA = 28;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

interface Answer {
  type: number;
  data: Buffer;
}

/**
 * Starts a DNS server on loopback that answers each question with its records, or never answers. Returns its address
 * and the received questions.
 */
async function startServer(answers?: readonly Answer[], code = 0) {
  const socket = createSocket('udp4');
  sockets.push(socket);
  const questions: Buffer[] = [];
  socket.on('message', (question, from) => {
    questions.push(question);
    if (answers !== undefined) socket.send(answerTo(question, answers, code), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

/** The question, followed by its records. `code`: 0 for an answer, 2 for a failure of the server. */
function answerTo(question: Buffer, answers: readonly Answer[], code: number): Buffer {
  const nameEnd = question.indexOf(0, 12) + 1;
  const records = answers.filter(({ type }) => type === question.readUInt16BE(nameEnd));
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(0, 10);
  const written = records.map(({ type, data }) => {
    // Pointer to the name in the question, type, class IN, TTL 60 s.
    const start = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([start, data]);
  });
  return Buffer.concat([header, question.subarray(12, nameEnd + 4), ...written]);
}

/** One record, whose strings are the pieces of the text. */
function text(...pieces: string[]): Answer {
  const data = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])));
  return { type: TXT, data };
}

it('each record is one text', async () => {
  const { address } = await startServer([text('v=spf1', ' -all'), text('innkeeper-account=1')]);
  const { resolveTxt } = createDns({ servers: [address] });
  expect((await resolveTxt('_innkeeper.example.com')).toSorted()).toEqual([
    'innkeeper-account=1',
    'v=spf1 -all',
  ]);
});

it('it returns nothing after its timeout, even if all servers are silent', async () => {
  const silent = await Promise.all(Array.from({ length: 3 }, () => startServer()));
  const { resolveTxt } = createDns({ servers: silent.map(({ address }) => address), limitMs: 300 });
  const startedAt = performance.now();
  expect(await resolveTxt('_innkeeper.example.com')).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(1_400);
  expect(silent.flatMap(({ questions }) => questions).length).toBeGreaterThan(0);
});

it('addresses of both families are found, in canonical form', async () => {
  const { address } = await startServer([
    { type: A, data: Buffer.from([192, 0, 2, 10]) },
    { type: AAAA, data: Buffer.from('20010db8000000000000000000000010', 'hex') },
  ]);
  const { resolveAddresses } = createDns({ servers: [address] });
  expect(await resolveAddresses('example.com')).toEqual(['192.0.2.10', '2001:db8::10']);
});

it('a name without addresses has none, and a failed or silent server gives no answer', async () => {
  const empty = await startServer([]);
  expect(await createDns({ servers: [empty.address] }).resolveAddresses('example.com')).toEqual([]);
  const failing = await startServer([], 2);
  expect(await createDns({ servers: [failing.address] }).resolveAddresses('example.com')).toBeUndefined();
  const silent = await startServer();
  const { resolveAddresses } = createDns({ servers: [silent.address], limitMs: 300 });
  expect(await resolveAddresses('example.com')).toBeUndefined();
});
