import { createHash } from 'node:crypto';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { invalidField, words } from '@innkeeper/domain';
import { HttpError } from '../error-response.ts';
import { TemporaryFile } from '../server/temporary-file.ts';

/** A multipart form that is being received. */
export interface IncomingForm {
  contentType: string | undefined;
  contentLength: string | undefined;
  body: ReadableStream<Uint8Array> | null;
}

type Parser = InstanceType<typeof Busboy>;

interface Bounds {
  /** Folder for the file while it is received. */
  dir: string;
  maxBytes: number;
  timeoutMs: number;
  /** Minimum average rate after the first 10 s. 0: no minimum. */
  minBytesPerSecond: number;
}

const tooLarge = () => new HttpError(413, 'The POST data is too large.');

/** Bytes of a form in addition to its file. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;
/** Timeout without any data: after it the form counts as lost. */
const STALL_MS = 30_000;
/** Grace period before the minimum rate applies. */
const GRACE_MS = 10_000;

/**
 * Writes the form's file under `field` to a temporary file as it arrives, and hashes it. Skips every other part. Memory
 * holds only a few chunks, however slow disk and client are. See `Uploads.receive`.
 */
export async function receiveFile(
  form: IncomingForm,
  field: string,
  { dir, ...bounds }: Bounds,
): Promise<{ file: TemporaryFile; bytes: number; sha256: string }> {
  if (Number(form.contentLength ?? 0) > bounds.maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge();
  const parser = newParser(form.contentType, bounds.maxBytes);
  // Read only now: the server discards an unread body while it sends the refusal.
  const body = parser === undefined ? null : form.body;
  if (parser === undefined || body === null)
    throw invalidField(field, `The ${words(field)} field is required.`);
  const file = await TemporaryFile.open(dir).catch(refuseForRoom);
  try {
    return { file, ...(await parse(body, parser, { field, file, ...bounds })) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns undefined if the body is not a multipart form. */
function newParser(contentType: string | undefined, maxBytes: number): Parser | undefined {
  if (!/^multipart\/form-data\b/i.test(contentType ?? '')) return undefined;
  try {
    return new Busboy({
      headers: { 'content-type': contentType ?? '' },
      limits: {
        fileSize: maxBytes,
        parts: 100,
        fieldSize: 64 * 1024,
        headerPairs: 20,
        headerSize: 16 * 1024,
      },
    });
  } catch {
    return undefined;
  }
}

async function parse(
  body: ReadableStream<Uint8Array>,
  parser: Parser,
  { field, file, ...bounds }: Omit<Bounds, 'dir'> & { field: string; file: TemporaryFile },
): Promise<{ bytes: number; sha256: string }> {
  const stopped = new AbortController();
  const deadline = setTimeout(() => stopped.abort(new Error('The upload took too long.')), bounds.timeoutMs);
  let part: BusboyFileStream | undefined;
  let stored: ReturnType<typeof store> | undefined;
  let isText = false;
  parser.on('file', (name, stream) => {
    // An unfinished part emits an error, even if the parser skips the part.
    stream.on('error', () => {});
    if (name !== field || part !== undefined) {
      stream.resume();
      return;
    }
    part = stream;
    stored = store(stream, file);
    stored.catch((error: unknown) => stopped.abort(error));
  });
  parser.on('field', (name) => {
    if (name === field) isText = true;
  });
  const pieces = piecesOf(body, stopped.signal, bounds);
  try {
    await feed(parser, pieces, stopped.signal);
    const file = await stored;
    if (file !== undefined) return file;
  } catch (error) {
    parser.destroy();
    part?.destroy();
    await stored?.catch(() => {});
    for (const cause of [error, stopped.signal.reason]) if (isOfUs(cause)) return refuseForRoom(cause);
    throw invalidField(field, `The ${words(field)} failed to upload.`);
  } finally {
    clearTimeout(deadline);
  }
  throw invalidField(
    field,
    isText ? `The ${words(field)} field must be a file.` : `The ${words(field)} field is required.`,
  );
}

/**
 * Feeds all chunks to the parser. Ignores everything after the end of the form. It does not use `pipeline`: the parser
 * emits its finish event only once, possibly before its input ends, and a pipeline would then wait forever.
 */
async function feed(parser: Parser, pieces: AsyncIterable<Uint8Array>, stopped: AbortSignal): Promise<void> {
  let isFinished = false;
  const finished = new Promise<void>((resolve, reject) => {
    parser.once('finish', resolve).on('error', reject);
    stopped.addEventListener('abort', () => reject(stopped.reason), { once: true });
  }).then(() => {
    isFinished = true;
  });
  finished.catch(() => {});
  for await (const piece of pieces) {
    if (isFinished) continue;
    const written = new Promise<void>((resolve) => parser.write(piece, () => resolve()));
    await Promise.race([finished, written]);
  }
  parser.end();
  await finished;
}

async function store(
  stream: Readable & { truncated: boolean },
  file: TemporaryFile,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  stream.once('limit', () => stream.destroy(tooLarge()));
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    await file.append(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Yields the body as it arrives, while the client keeps the minimum rate. Time that this process needs itself does not
 * count. If the reader stops early, the stream is not cancelled: the answer must still be sent over the same
 * connection.
 */
async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  stopped: AbortSignal,
  { maxBytes, minBytesPerSecond }: Pick<Bounds, 'maxBytes' | 'minBytesPerSecond'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let bytes = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const allowedMs = minBytesPerSecond === 0 ? Infinity : GRACE_MS + (bytes / minBytesPerSecond) * 1_000;
      const askedAt = performance.now();
      const { promise, reject } = Promise.withResolvers<never>();
      const stop = () => reject(new Error('The upload was stopped.'));
      const timer = setTimeout(stop, Math.min(STALL_MS, allowedMs - waitedMs));
      stopped.addEventListener('abort', stop, { once: true });
      let piece: Uint8Array;
      try {
        const { done, value } = await Promise.race([reader.read(), promise]);
        if (done) return;
        piece = value;
      } finally {
        waitedMs += performance.now() - askedAt;
        clearTimeout(timer);
        stopped.removeEventListener('abort', stop);
      }
      bytes += piece.length;
      if (bytes > maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge();
      yield piece;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Whether the error comes from the size limit or the disk. All other errors come from the client or the network. */
function isOfUs(error: unknown): boolean {
  return (
    error instanceof HttpError || typeof (error as NodeJS.ErrnoException | undefined)?.errno === 'number'
  );
}

/** Numbers, because Node.js has no code for EDQUOT. */
const { ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE } = constants.errno;
const noRoom: ReadonlySet<number> = new Set([ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE]);

/** Throws the given error, or HttpError 503 if there is no room for the file. */
function refuseForRoom(error: unknown): never {
  if (noRoom.has(-((error as NodeJS.ErrnoException | undefined)?.errno ?? 0)))
    throw new HttpError(503, 'There is no room for the upload now. Try again later.');
  throw error;
}
