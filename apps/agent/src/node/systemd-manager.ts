import { connect } from 'node:net';
import { encodeCall, type Message, type MethodCall, takeMessage, type Value } from './dbus-message.ts';
import { HostError } from './host-error.ts';

/**
 * Calls systemd's manager over the socket that `systemctl` uses as root, without the system bus. So no program has to
 * start, and no other user of the bus can delay the agent (docs/design/node-accounts-and-slices.md).
 */
const PRIVATE_SOCKET = '/run/systemd/private';
const MOST_BYTES = 16 * 1024 * 1024;
const MANAGER = {
  path: '/org/freedesktop/systemd1',
  interface: 'org.freedesktop.systemd1.Manager',
} as const;

/** A failure that systemd reports. Without `error`, the call succeeded. */
export interface Reply {
  readonly values: readonly Value[];
  readonly error?: { readonly name: string; readonly message: string };
}

export interface CallOptions {
  /** Until all calls, and all awaited jobs, have ended. */
  readonly timeoutMs: number;
  /** Each reply names a job of systemd: waits until the jobs have ended, and returns `[result]` for each. */
  readonly awaitsJobs?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Sends the calls over one connection. Returns the replies in the order of the calls. */
export type CallSystemd = (calls: readonly MethodCall[], options: CallOptions) => Promise<Reply[]>;

/** A call of the manager itself. */
export function managerCall(member: string, signature: string, ...values: readonly Value[]): MethodCall {
  return { ...MANAGER, member, signature, values };
}

/** Reads one property of a unit, loaded or not. `kind`: the interface with the property, such as `Slice`. */
export function propertyCall(unit: string, kind: string, property: string): MethodCall {
  return {
    path: `${MANAGER.path}/unit/${escaped(unit)}`,
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    signature: 'ss',
    values: [`org.freedesktop.systemd1.${kind}`, property],
  };
}

/** Paths of D-Bus have letters and digits only. */
function escaped(unit: string): string {
  const bytes = [...Buffer.from(unit)];
  return bytes
    .map((byte, at) => {
      const letter = String.fromCharCode(byte);
      const isPlain = /[A-Za-z]/.test(letter) || (at > 0 && /\d/.test(letter));
      return isPlain ? letter : `_${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

/** Throws HostError when systemd does not answer in time, or answers what is no D-Bus. */
export function createCallSystemd(path = PRIVATE_SOCKET): CallSystemd {
  return async (calls, options) => {
    if (calls.length === 0) return [];
    options.signal?.throwIfAborted();
    return await new Conversation(calls, options).over(path);
  };
}

/** The calls of one connection, numbered from 1, and what systemd has said so far. */
class Conversation {
  readonly #calls: readonly MethodCall[];
  readonly #options: CallOptions;
  readonly #replies: (Reply | undefined)[];
  /** Results of ended jobs by the paths of the jobs. A job can end before the reply that names it is read. */
  readonly #endedJobs = new Map<string, string>();
  #missing: number;

  constructor(calls: readonly MethodCall[], options: CallOptions) {
    this.#calls = calls;
    this.#options = options;
    this.#replies = calls.map(() => undefined);
    this.#missing = calls.length;
  }

  async over(path: string): Promise<Reply[]> {
    const { timeoutMs, signal } = this.#options;
    const uid = Buffer.from(`${process.getuid?.() ?? 0}`).toString('hex');
    const socket = connect(path);
    let end = () => {};
    try {
      return await new Promise<Reply[]>((resolve, reject) => {
        let received: Buffer = Buffer.alloc(0);
        let isAuthenticated = false;
        const fail = (why: string, cause?: unknown) =>
          reject(new HostError('Failed', `systemd cannot be called: ${why}.`, { retryable: true, cause }));
        const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
        const abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
        };
        socket.on('error', (error) => fail(error.message, error));
        socket.on('close', () => fail('it closed the connection'));
        socket.on('data', (chunk) => {
          received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
          if (received.length > MOST_BYTES) return fail('the answer is too long');
          if (!isAuthenticated) {
            const lineEnd = received.indexOf('\r\n');
            if (lineEnd < 0) return;
            if (!received.toString('latin1', 0, lineEnd).startsWith('OK '))
              return fail('it does not let us in');
            isAuthenticated = true;
            received = received.subarray(lineEnd + 2);
            // Not earlier: systemd does not read data that arrives together with the greeting.
            socket.write(Buffer.concat(this.#calls.map((call, at) => encodeCall(call, at + 1))));
          }
          try {
            for (let next = takeMessage(received); next !== undefined; next = takeMessage(received)) {
              received = next.rest;
              this.#hear(next.message);
            }
            const replies = this.#complete();
            if (replies !== undefined) resolve(replies);
          } catch (error) {
            fail('the answer cannot be read', error);
          }
        });
        socket.write(`\0AUTH EXTERNAL ${uid}\r\nBEGIN\r\n`);
      });
    } finally {
      end();
      socket.destroy();
    }
  }

  /** Signals of all kinds arrive over the same connection. */
  #hear({ kind, replySerial, member, errorName, values }: Message): void {
    if (kind === 'signal' && member === 'JobRemoved') {
      const [, job, , result] = values();
      this.#endedJobs.set(job as string, result as string);
    }
    if ((kind !== 'return' && kind !== 'error') || replySerial === undefined) return;
    const at = replySerial - 1;
    if (at >= this.#replies.length || this.#replies[at] !== undefined) return;
    this.#replies[at] =
      kind === 'return'
        ? { values: values() }
        : { values: [], error: { name: errorName, message: `${values()[0] ?? ''}` } };
    this.#missing -= 1;
  }

  /** Returns the replies once nothing is missing. */
  #complete(): Reply[] | undefined {
    if (this.#missing > 0) return undefined;
    const replies = this.#replies as Reply[];
    if (this.#options.awaitsJobs !== true) return replies;
    const isEnded = ({ values, error }: Reply) =>
      error !== undefined || this.#endedJobs.has(values[0] as string);
    if (!replies.every(isEnded)) return undefined;
    return replies.map((reply) =>
      reply.error === undefined ? { values: [this.#endedJobs.get(reply.values[0] as string)!] } : reply,
    );
  }
}
