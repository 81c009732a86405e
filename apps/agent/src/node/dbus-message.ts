import { HostError } from './host-error.ts';

/**
 * Messages of D-Bus, little-endian: what the agent says to systemd and hears from it (systemd-manager.ts). Types are
 * those of the D-Bus specification: `s` text, `u` and `t` whole numbers of 32 and 64 bits, `as` a list of texts, `v` any
 * value with its type. All numbers are JavaScript numbers. The largest 64-bit number, which systemd uses for "no limit",
 * is Infinity.
 */
export type Value = string | number | boolean | Typed | readonly Value[];

/** A value of type `v`, as it is sent. A received one is the value alone. */
export interface Typed {
  readonly type: string;
  readonly value: Value;
}

export interface MethodCall {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Type of the values. */
  readonly signature: string;
  readonly values: readonly Value[];
}

export interface Message {
  readonly kind: 'call' | 'return' | 'error' | 'signal';
  /** Number of the call that this message answers. */
  readonly replySerial: number | undefined;
  readonly member: string;
  /** Empty unless `kind` is `error`. */
  readonly errorName: string;
  /** Decodes the body. Only for messages that are wanted: signals can be long, and have types that are not supported. */
  readonly values: () => readonly Value[];
}

const KINDS = ['call', 'return', 'error', 'signal'] as const;
const LITTLE_ENDIAN = 0x6c;
const PROTOCOL = 1;
/** Codes of header fields. */
const [PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, SIGNATURE] = [1, 2, 3, 4, 5, 8];
const HEADER_FIELDS_AT = 16;
const NO_LIMIT = 0xffff_ffff_ffff_ffffn;

export function encodeCall(call: MethodCall, serial: number): Buffer {
  const body = new Writer();
  for (const [at, type] of typesOf(call.signature).entries()) body.write(type, call.values[at]!);
  const fields: [number, string, string][] = [
    [PATH!, 'o', call.path],
    [INTERFACE!, 's', call.interface],
    [MEMBER!, 's', call.member],
  ];
  if (call.signature !== '') fields.push([SIGNATURE!, 'g', call.signature]);
  const message = new Writer();
  for (const value of [LITTLE_ENDIAN, KINDS.indexOf('call') + 1, 0, PROTOCOL]) message.write('y', value);
  message.write('u', body.bytes.length);
  message.write('u', serial);
  message.write(
    'a(yv)',
    fields.map(([code, type, value]) => [code, { type, value }]),
  );
  message.align(8);
  return Buffer.from([...message.bytes, ...body.bytes]);
}

/**
 * Returns the first complete message, and the data after it. Undefined until a message is complete. Throws RangeError
 * or HostError for data that is no message.
 */
export function takeMessage(received: Buffer): { message: Message; rest: Buffer } | undefined {
  if (received.length < HEADER_FIELDS_AT) return undefined;
  if (received[0] !== LITTLE_ENDIAN) throw new HostError('Failed', 'systemd answers in another byte order.');
  const bodyAt = alignedTo(8, HEADER_FIELDS_AT + received.readUInt32LE(12));
  const end = bodyAt + received.readUInt32LE(4);
  if (received.length < end) return undefined;
  const header = new Reader(received.subarray(0, bodyAt), 12).read('a(yv)') as [number, Value][];
  const fields = new Map(header);
  const body = new Reader(received.subarray(bodyAt, end));
  const message: Message = {
    kind: KINDS[(received[1] ?? 0) - 1] ?? 'signal',
    replySerial: fields.get(REPLY_SERIAL!) as number | undefined,
    member: (fields.get(MEMBER!) as string | undefined) ?? '',
    errorName: (fields.get(ERROR_NAME!) as string | undefined) ?? '',
    values: () =>
      typesOf((fields.get(SIGNATURE!) as string | undefined) ?? '').map((type) => body.read(type)),
  };
  return { message, rest: received.subarray(end) };
}

/** Splits a signature into its complete types. */
function typesOf(signature: string): string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const end = endOfType(signature, at);
    types.push(signature.slice(at, end));
    at = end;
  }
  return types;
}

function endOfType(signature: string, at: number): number {
  const first = signature[at];
  if (first === 'a') return endOfType(signature, at + 1);
  if (first !== '(' && first !== '{') return at + 1;
  let inner = at + 1;
  while (inner < signature.length && signature[inner] !== ')' && signature[inner] !== '}')
    inner = endOfType(signature, inner);
  return inner + 1;
}

function membersOf(type: string): string[] {
  return typesOf(type.slice(1, -1));
}

function alignmentOf(type: string): number {
  if ('ygv'.includes(type[0]!)) return 1;
  if ('nq'.includes(type[0]!)) return 2;
  return 'xtd({'.includes(type[0]!) ? 8 : 4;
}

function alignedTo(bytes: number, at: number): number {
  return Math.ceil(at / bytes) * bytes;
}

function unknownType(type: string): RangeError {
  return new RangeError(`D-Bus values of type ${type} are not supported.`);
}

/** Values are aligned to their size, counted from the start of the message or of its body. */
class Writer {
  readonly bytes: number[] = [];

  align(size: number): void {
    while (this.bytes.length % size !== 0) this.bytes.push(0);
  }

  write(type: string, value: Value): void {
    this.align(alignmentOf(type));
    switch (type[0]) {
      case 'y':
        this.bytes.push(value as number);
        return;
      case 'b':
      case 'i':
      case 'u':
        this.#number(BigInt(Number(value)), 4);
        return;
      case 't':
        this.#number(value === Number.POSITIVE_INFINITY ? NO_LIMIT : BigInt(value as number), 8);
        return;
      case 's':
      case 'o': {
        const text = Buffer.from(value as string);
        this.#number(BigInt(text.length), 4);
        this.bytes.push(...text, 0);
        return;
      }
      case 'g':
        this.bytes.push((value as string).length, ...Buffer.from(value as string), 0);
        return;
      case 'v':
        this.write('g', (value as Typed).type);
        this.write((value as Typed).type, (value as Typed).value);
        return;
      case '(':
        for (const [at, member] of membersOf(type).entries())
          this.write(member, (value as readonly Value[])[at]!);
        return;
      case 'a':
        this.#list(type.slice(1), value as readonly Value[]);
        return;
      default:
        throw unknownType(type);
    }
  }

  #list(element: string, values: readonly Value[]): void {
    const lengthAt = this.bytes.length;
    this.#number(0n, 4);
    this.align(alignmentOf(element));
    const start = this.bytes.length;
    for (const value of values) this.write(element, value);
    const length = this.bytes.length - start;
    for (let byte = 0; byte < 4; byte += 1) this.bytes[lengthAt + byte] = (length >>> (8 * byte)) & 0xff;
  }

  #number(value: bigint, size: number): void {
    const bytes = BigInt.asUintN(size * 8, value);
    for (let byte = 0; byte < size; byte += 1) this.bytes.push(Number((bytes >> BigInt(8 * byte)) & 0xffn));
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  read(type: string): Value {
    this.#at = alignedTo(alignmentOf(type), this.#at);
    switch (type[0]) {
      case 'y':
        return this.#bytes.readUInt8(this.#skip(1));
      case 'b':
        return this.#bytes.readUInt32LE(this.#skip(4)) !== 0;
      case 'i':
        return this.#bytes.readInt32LE(this.#skip(4));
      case 'u':
        return this.#bytes.readUInt32LE(this.#skip(4));
      case 't': {
        const value = this.#bytes.readBigUInt64LE(this.#skip(8));
        return value === NO_LIMIT ? Number.POSITIVE_INFINITY : Number(value);
      }
      case 's':
      case 'o':
        return this.#text(this.read('u') as number);
      case 'g':
        return this.#text(this.read('y') as number);
      case 'v':
        return this.read(this.read('g') as string);
      case '(':
      case '{':
        return membersOf(type).map((member) => this.read(member));
      case 'a':
        return this.#list(type.slice(1));
      default:
        throw unknownType(type);
    }
  }

  #list(element: string): Value[] {
    const length = this.read('u') as number;
    this.#at = alignedTo(alignmentOf(element), this.#at);
    const end = this.#at + length;
    const values: Value[] = [];
    while (this.#at < end) values.push(this.read(element));
    return values;
  }

  #text(length: number): string {
    const start = this.#skip(length + 1);
    if (this.#at > this.#bytes.length) throw new RangeError('A text of the message is longer than it.');
    return this.#bytes.toString('utf8', start, start + length);
  }

  #skip(bytes: number): number {
    this.#at += bytes;
    return this.#at - bytes;
  }
}
