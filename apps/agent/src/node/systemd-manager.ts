import { connect } from 'node:net';
import type { UnitState } from './host.ts';
import { HostError } from './host-error.ts';

/**
 * Sends one question to systemd's manager over the socket that `systemctl` uses as root, without the system bus. So no
 * program has to start, and no other user of the bus can delay the agent. The socket uses D-Bus. This file implements
 * the part of the protocol that ListUnitsByNames needs.
 */
const PRIVATE_SOCKET = '/run/systemd/private';
const TIMEOUT_MS = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;
const SERIAL = 1;
const METHOD_RETURN = 2;
const ERROR = 3;
/** Codes of header fields. */
const PATH = 1;
const INTERFACE = 2;
const MEMBER = 3;
const REPLY_SERIAL = 5;
const SIGNATURE = 8;

interface Message {
  readonly type: number;
  readonly replySerial: number | undefined;
  readonly body: Buffer;
}

/** Returns the states by unit name, loaded or not. Throws HostError when systemd does not answer within 10 s. */
export async function listUnits(
  names: readonly string[],
  socket = PRIVATE_SOCKET,
  timeoutMs = TIMEOUT_MS,
): Promise<Map<string, UnitState>> {
  const { type, body } = await ask(listUnitsCall(names), socket, timeoutMs);
  if (type === ERROR) throw new HostError('Failed', `systemd refuses: ${new Reader(body).string()}`);
  const states = readUnits(body);
  const wanted = new Set(names);
  if (states.size !== wanted.size || [...states.keys()].some((name) => !wanted.has(name)))
    throw new HostError('Failed', 'systemd answered for other units than were asked for.');
  return states;
}

async function ask(call: Buffer, path: string, timeoutMs: number): Promise<Message> {
  const uid = Buffer.from(`${process.getuid?.() ?? 0}`).toString('hex');
  return await new Promise<Message>((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    let isAuthenticated = false;
    const socket = connect(path);
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
    };
    const fail = (why: string, cause?: unknown) => {
      end();
      reject(new HostError('Failed', `systemd cannot be wanted: ${why}.`, { retryable: true, cause }));
    };
    socket.on('error', (error) => fail(error.message, error));
    socket.on('close', () => fail('it closed the connection'));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length > MOST_BYTES) return fail('the answer is too long');
      if (!isAuthenticated) {
        const lineEnd = received.indexOf('\r\n');
        if (lineEnd < 0) return;
        if (!received.toString('latin1', 0, lineEnd).startsWith('OK ')) return fail('it does not let us in');
        isAuthenticated = true;
        received = received.subarray(lineEnd + 2);
        // Not earlier: systemd does not read data that arrives together with the greeting.
        socket.write(call);
      }
      try {
        for (let next = takeMessage(received); next !== undefined; next = takeMessage(received)) {
          received = next.rest;
          const { message } = next;
          // Signals arrive over the same connection.
          if (message.replySerial !== SERIAL || ![METHOD_RETURN, ERROR].includes(message.type)) continue;
          end();
          return resolve(message);
        }
      } catch (error) {
        fail('the answer cannot be read', error);
      }
    });
    socket.write(`\0AUTH EXTERNAL ${uid}\r\nBEGIN\r\n`);
  });
}

/** Builds the call of ListUnitsByNames, little-endian. */
export function listUnitsCall(names: readonly string[]): Buffer {
  const body = new Writer();
  const list = new Writer();
  for (const name of names) list.string(name);
  body.uint32(list.bytes().length).append(list.bytes());
  const fields = new Writer();
  const field = (code: number, signature: string, value: string) =>
    fields.align(8).byte(code).signature(signature).string(value);
  field(PATH, 'o', '/org/freedesktop/systemd1');
  field(INTERFACE, 's', 'org.freedesktop.systemd1.Manager');
  field(MEMBER, 's', 'ListUnitsByNames');
  fields.align(8).byte(SIGNATURE).signature('g').signature('as');
  const header = new Writer();
  // Little-endian, method call, no flags, version 1 of the protocol.
  for (const value of [0x6c, 1, 0, 1]) header.byte(value);
  header.uint32(body.bytes().length).uint32(SERIAL).uint32(fields.bytes().length);
  return header.append(fields.bytes()).align(8).append(body.bytes()).bytes();
}

/** Returns the first complete message and the data after it. Undefined until a message is complete. */
function takeMessage(received: Buffer): { message: Message; rest: Buffer } | undefined {
  if (received.length < 16) return undefined;
  if (received[0] !== 0x6c) throw new HostError('Failed', 'systemd answers in another byte order.');
  const bodyAt = alignedTo(8, 16 + received.readUInt32LE(12));
  const end = bodyAt + received.readUInt32LE(4);
  if (received.length < end) return undefined;
  const message = {
    type: received[1] ?? 0,
    replySerial: replySerialOf(received.subarray(0, bodyAt), 16 + received.readUInt32LE(12)),
    body: received.subarray(bodyAt, end),
  };
  return { message, rest: received.subarray(end) };
}

function replySerialOf(header: Buffer, end: number): number | undefined {
  const reader = new Reader(header, 16);
  while (reader.at < end) {
    const code = reader.align(8).byte();
    const signature = reader.signature();
    const value =
      signature === 'u' ? reader.uint32() : signature === 'g' ? reader.signature() : reader.string();
    if (code === REPLY_SERIAL) return Number(value);
  }
  return undefined;
}

/**
 * a(ssssssouso): name, description, load state, active state, sub state, followed unit, path, job (0: none), job type
 * and job path.
 */
function readUnits(body: Buffer): Map<string, UnitState> {
  const reader = new Reader(body);
  const end = reader.uint32() + alignedTo(8, reader.at);
  const states = new Map<string, UnitState>();
  while (reader.align(8).at < end) {
    const [name = '', , , active = '', sub = ''] = Array.from({ length: 7 }, () => reader.string());
    const job = reader.uint32();
    reader.string();
    reader.string();
    states.set(name, { active, sub, hasJob: job !== 0 });
  }
  return states;
}

function alignedTo(bytes: number, at: number): number {
  return Math.ceil(at / bytes) * bytes;
}

/** Values are aligned to their size, counted from the start of the message. */
class Writer {
  #bytes: Buffer[] = [];
  #length = 0;

  bytes(): Buffer {
    return Buffer.concat(this.#bytes);
  }

  append(bytes: Buffer): this {
    this.#bytes.push(bytes);
    this.#length += bytes.length;
    return this;
  }

  align(bytes: number): this {
    return this.append(Buffer.alloc(alignedTo(bytes, this.#length) - this.#length));
  }

  byte(value: number): this {
    return this.append(Buffer.of(value));
  }

  uint32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return this.align(4).append(bytes);
  }

  string(text: string): this {
    const bytes = Buffer.from(text);
    return this.uint32(bytes.length).append(bytes).byte(0);
  }

  signature(text: string): this {
    return this.byte(text.length).append(Buffer.from(text)).byte(0);
  }
}

class Reader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  align(bytes: number): this {
    this.at = alignedTo(bytes, this.at);
    return this;
  }

  byte(): number {
    this.at += 1;
    return this.#bytes.readUInt8(this.at - 1);
  }

  uint32(): number {
    this.align(4).at += 4;
    return this.#bytes.readUInt32LE(this.at - 4);
  }

  string(): string {
    return this.#text(this.uint32());
  }

  signature(): string {
    return this.#text(this.byte());
  }

  #text(length: number): string {
    const start = this.at;
    this.at += length + 1;
    if (this.at > this.#bytes.length) throw new RangeError('A text of the message is longer than it.');
    return this.#bytes.toString('utf8', start, start + length);
  }
}
