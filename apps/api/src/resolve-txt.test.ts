import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { createResolveTxt } from './resolve-txt.ts';

const TXT = 16;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/**
 * Starts a DNS server on loopback that answers each question with these texts, or never answers. Returns its address
 * and the received questions.
 */
async function startServer(texts?: readonly string[][]) {
  const socket = createSocket('udp4');
  sockets.push(socket);
  const questions: Buffer[] = [];
  socket.on('message', (question, from) => {
    questions.push(question);
    if (texts !== undefined) socket.send(answerTo(question, texts), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

/** The question, followed by one record for each text. The parts of a text are the strings of its record. */
function answerTo(question: Buffer, texts: readonly string[][]): Buffer {
  const nameEnd = question.indexOf(0, 12) + 1;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(texts.length, 6);
  header.writeUInt16BE(0, 10);
  const records = texts.map((pieces) => {
    const data = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])));
    // Pointer to the name in the question, type TXT, class IN, TTL 60 s.
    const start = Buffer.from([0xc0, 12, 0, TXT, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([start, data]);
  });
  return Buffer.concat([header, question.subarray(12, nameEnd + 4), ...records]);
}

it('each record is one text', async () => {
  const { address } = await startServer([['v=spf1', ' -all'], ['innkeeper-account=1']]);
  const resolveTxt = createResolveTxt({ servers: [address] });
  expect((await resolveTxt('_innkeeper.example.com')).toSorted()).toEqual([
    'innkeeper-account=1',
    'v=spf1 -all',
  ]);
});

it('it returns nothing after its timeout, even if all servers are silent', async () => {
  const silent = await Promise.all(Array.from({ length: 3 }, () => startServer()));
  const resolveTxt = createResolveTxt({ servers: silent.map(({ address }) => address), limitMs: 300 });
  const startedAt = performance.now();
  expect(await resolveTxt('_innkeeper.example.com')).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(1_400);
  expect(silent.flatMap(({ questions }) => questions).length).toBeGreaterThan(0);
});
