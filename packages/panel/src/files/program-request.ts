import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { fileRefusal } from '@innkeeper/domain';
import type { z } from 'zod';
import type { ChannelAgent, OpenFilesChannel } from './channel-agent.ts';
import { FilesError } from './files-error.ts';

/** Time until the program has begun its answer. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Time without a byte in either direction. */
const SILENCE_MS = 60_000;
const HEADERS_MAX_BYTES = 16 * 1024;
const JSON_MAX_BYTES = 16 * 1024 * 1024;
const REFUSAL_MAX_BYTES = 64 * 1024;

export interface ProgramRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Path and query, in the wire form. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly json?: unknown;
  readonly body?: Readable | Buffer;
  readonly bodyBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramPool {
  readonly agent: ChannelAgent;
  /** Requests of the same session share channels. */
  readonly session: string;
  readonly openChannel: OpenFilesChannel;
  readonly answerTimeoutMs?: number;
  readonly silenceMs?: number;
}

/**
 * Sends one request to the program, and resolves with the beginning of its answer. The body of the answer must be read, or destroyed. Rejects
 * with what `openChannel` rejects with, or with a `FilesError`: the program is the tenant's to change, so nothing that it does is a
 * defect of this process.
 */
export async function sendToProgram(pool: ProgramPool, wanted: ProgramRequest): Promise<IncomingMessage> {
  try {
    return await sendOnce(pool, wanted);
  } catch (error) {
    // A kept channel ends without notice. What only reads is tried again, on a new one.
    if (!(error instanceof KeptChannelEnded)) throw error;
    if (wanted.method === 'GET' || wanted.method === 'HEAD') return await sendToProgram(pool, wanted);
    throw new FilesError('unavailable', { cause: error.cause });
  }
}

/** The connection of an earlier request had ended when this one was sent. */
class KeptChannelEnded extends Error {}

async function sendOnce(pool: ProgramPool, wanted: ProgramRequest): Promise<IncomingMessage> {
  const { agent, session, openChannel, answerTimeoutMs = ANSWER_TIMEOUT_MS, silenceMs = SILENCE_MS } = pool;
  const { method, path, json, body, bodyBytes, signal } = wanted;
  signal?.throwIfAborted();
  const endTurn = await takeTurn(pool, signal);
  let openingFailed: unknown;
  const open: OpenFilesChannel = async () => {
    try {
      return await openChannel();
    } catch (error) {
      openingFailed = error;
      throw error;
    }
  };
  const text = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
  const length = text?.length ?? (Buffer.isBuffer(body) ? body.length : bodyBytes);
  const outgoing = request({
    agent,
    host: session,
    method,
    path: `/${path}`,
    maxHeaderSize: HEADERS_MAX_BYTES,
    headers: {
      ...wanted.headers,
      Host: 'files',
      ...(length === undefined ? {} : { 'Content-Length': length }),
    },
    ...({ openChannel: open } as object),
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let answer: IncomingMessage | undefined;
  const isUpload = body instanceof Readable;
  const silence = new SilenceTimer(silenceMs, () => {
    // A reader or a sender that takes its time is no fault of the program.
    const waitsForReader = answer !== undefined && answer.readableLength > 0;
    const waitsForSender =
      isUpload && answer === undefined && !body.readableEnded && !outgoing.writableNeedDrain;
    if (waitsForReader || waitsForSender) silence.note();
    else outgoing.destroy(new FilesError('unavailable'));
  });
  const abort = () => outgoing.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  const late = isUpload
    ? undefined
    : setTimeout(() => outgoing.destroy(new FilesError('unavailable')), answerTimeoutMs);
  outgoing.once('close', () => {
    endTurn();
    clearTimeout(late);
    silence.end();
    signal?.removeEventListener('abort', abort);
  });
  outgoing.once('response', (incoming) => {
    clearTimeout(late);
    answer = incoming;
    silence.note();
    incoming.on('data', () => silence.note());
    incoming.pause();
    incoming.once('error', () => {});
    resolve(incoming);
  });
  // The program has no second protocol.
  outgoing.once('upgrade', (_, socket) => {
    socket.destroy();
    reject(new FilesError('unavailable'));
  });
  outgoing.on('error', (error) => {
    const reason = reasonOf(error, openingFailed, signal);
    const hasEnded = outgoing.reusedSocket && reason instanceof FilesError && reason.cause === error;
    reject(hasEnded ? new KeptChannelEnded('ended', { cause: error }) : reason);
  });
  if (isUpload) {
    body.on('data', () => silence.note());
    body.once('error', (error) => outgoing.destroy(error));
    body.pipe(outgoing);
  } else outgoing.end(text ?? body);
  return await promise;
}

/** A request that waits too long for others of the same session is `too_many`. */
async function takeTurn(
  { agent, session, answerTimeoutMs = ANSWER_TIMEOUT_MS }: ProgramPool,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new FilesError('too_many')), answerTimeoutMs);
  try {
    return await agent.takeTurn(
      session,
      signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    );
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: Error, openingFailed: unknown, signal: AbortSignal | undefined): unknown {
  if (openingFailed !== undefined) return openingFailed;
  if (error instanceof FilesError) return error;
  if (signal?.aborted === true) return signal.reason;
  return new FilesError('unavailable', { cause: error });
}

/** Sends a request whose answer is JSON of this schema. */
export async function askProgram<T extends z.ZodType>(
  pool: ProgramPool,
  wanted: ProgramRequest,
  schema: T,
): Promise<z.infer<T>> {
  const incoming = await sendToProgram(pool, wanted);
  await requireSuccess(incoming);
  return parseAnswer(await readAll(incoming, JSON_MAX_BYTES), schema);
}

/** Throws the `FilesError` of a refusal. */
export async function requireSuccess(incoming: IncomingMessage): Promise<void> {
  const { statusCode = 0 } = incoming;
  if (statusCode >= 200 && statusCode < 300) return;
  const { failure, detail, offset } = parseAnswer(await readAll(incoming, REFUSAL_MAX_BYTES), fileRefusal);
  throw new FilesError(failure, { detail, offset });
}

export async function readAll(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) throw new FilesError('unavailable');
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    incoming.destroy();
    throw error instanceof FilesError ? error : new FilesError('unavailable', { cause: error });
  }
  return Buffer.concat(chunks);
}

function parseAnswer<T extends z.ZodType>(bytes: Buffer, schema: T): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new FilesError('unavailable', { cause });
  }
  const { data, error } = schema.safeParse(value);
  if (error !== undefined) throw new FilesError('unavailable', { cause: error });
  return data;
}

/** Ends a request in which nothing moves. */
class SilenceTimer {
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, onSilence: () => void) {
    this.#timer = setTimeout(onSilence, ms).unref();
  }

  note(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
