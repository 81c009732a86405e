import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { DomainError, joinWirePath, readWirePath, type WirePath, wireNameOfText } from '@innkeeper/domain';
import { getUsage } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { FilesError } from '../../files/index.ts';
import { textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { filePages, filesOf, inFiles, pathIn, pathOf, refusalOf } from './files.ts';
import { noteChange } from './note-change.ts';
import { fileTexts } from './texts/index.ts';

/** Largest file of a form without a script. It cannot continue, so larger ones are for the script. */
const FORM_FILE_MAX_BYTES = 8 * 1024 ** 3;
const MOST_FILES = 500;
/** A large file is refused at once if the account has no room for it, not after an hour. */
const CHECKED_FROM_BYTES = 8 * 1024 * 1024;
const MIB = 1024 * 1024;
const ID = /^[0-9a-f]{32}$/;

/** A form with files, without a script: each file is sent on to the server while it arrives. */
export async function receiveForm(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const folder = pathIn(c);
  c.var.extendDeadline(c.var.deps.uploads.timeoutMs);
  const { body } = c.req.raw;
  const contentType = c.req.header('Content-Type') ?? '';
  if (body === null || !/^multipart\/form-data\b/i.test(contentType)) throw refused(texts.uploadedNothing);
  let count = 0;
  try {
    count = await storeParts(c, folder, body, contentType);
  } catch (error) {
    throw refusalOf(c, error);
  }
  if (count === 0) throw refused(texts.uploadedNothing);
  await noteChange(c, 'files.upload', folder, count);
  return goToWithNotice(c, filePages.browse(folder), texts.uploaded(count));
}

function refused(sentence: string): DomainError {
  return new DomainError('precondition_failed', sentence);
}

async function storeParts(
  c: PanelContext,
  folder: WirePath,
  body: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<number> {
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    limits: { fileSize: FORM_FILE_MAX_BYTES, files: MOST_FILES, fields: 10, headerSize: 16 * 1024 },
  });
  let replaces = false;
  let count = 0;
  let work = Promise.resolve();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {});
  parser.on('field', (name, value) => {
    if (name === 'replaces') replaces = value === '1';
  });
  parser.on('file', (_field, stream, fileName) => {
    stream.on('error', fail);
    // A form without a file sends one without a name.
    if (fileName === undefined || fileName === '') {
      stream.resume();
      return;
    }
    count += 1;
    work = work.then(() => storePart(c, folder, fileName, stream, () => replaces));
    work.catch(fail);
  });
  const finished = new Promise<void>((resolve, reject) => {
    parser.once('finish', resolve).once('error', reject);
  });
  finished.catch(() => {});
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  source.once('error', fail);
  source.pipe(parser);
  try {
    await Promise.race([finished.then(() => work), failed]);
  } finally {
    source.destroy();
    parser.destroy();
  }
  return count;
}

async function storePart(
  c: PanelContext,
  folder: WirePath,
  fileName: string,
  stream: BusboyFileStream,
  replaces: () => boolean,
): Promise<void> {
  const name = wireNameOfText(
    fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1),
  );
  if (name === undefined) throw new FilesError('invalid');
  const files = filesOf(c);
  const id = randomBytes(16).toString('hex');
  try {
    const size = await files.appendUpload(id, { offset: 0, size: FORM_FILE_MAX_BYTES }, stream);
    if (stream.truncated) throw new FilesError('too_large');
    await files.finishUpload(id, joinWirePath(folder, name), { size, replaces: replaces() });
  } catch (error) {
    stream.resume();
    await files.removeUpload(id).catch(() => {});
    throw error;
  }
}

/**
 * Begins or continues an upload of the script. The same file into the same folder has the same id, so an upload continues after a reload,
 * and on another instance. Answers how much has arrived.
 */
export async function beginUpload(c: PanelContext): Promise<Response> {
  const { path, folder, size } = wantedOf(c);
  const { accountId } = customerContext(c).actor;
  const modified = textOf(c.var.form, 'modified').slice(0, 20);
  const id = createHash('sha256')
    .update(`${accountId}\n${path}\n${size}\n${modified}`)
    .digest('hex')
    .slice(0, 32);
  const files = filesOf(c);
  const [offset, existing] = await inFiles(c, () =>
    Promise.all([
      files.uploadOffset(id),
      files.stat(path).catch((error: unknown) => {
        if (error instanceof FilesError && error.code !== 'unavailable') return undefined;
        throw error;
      }),
    ]),
  );
  if (size - offset >= CHECKED_FROM_BYTES) await requireRoom(c, size - offset);
  await noteChange(c, 'files.upload', folder);
  return c.json({ id, offset: Math.min(offset, size), exists: existing !== undefined });
}

async function requireRoom(c: PanelContext, bytes: number): Promise<void> {
  const ctx = customerContext(c);
  const usage = await getUsage(ctx, { account_id: ctx.actor.accountId }).catch(() => undefined);
  if (usage === undefined || usage.measured_at === null) return;
  if (usage.disk_used_mb + bytes / MIB > usage.disk_limit_mb) throw refusalOf(c, new FilesError('quota'));
}

/** One part of an upload, as the body. Answers how much has arrived now. */
export async function receivePart(c: PanelContext): Promise<Response> {
  const number = (name: string) => {
    const text = c.req.query(name) ?? '';
    if (!/^\d{1,15}$/.test(text)) throw refusalOf(c, new FilesError('invalid'));
    return Number(text);
  };
  const id = idIn(c);
  const part = { offset: number('offset'), size: number('size') };
  const { body } = c.req.raw;
  const length = Number(c.req.header('Content-Length') ?? Number.NaN);
  if (body === null || !Number.isSafeInteger(length)) throw refusalOf(c, new FilesError('invalid'));
  c.var.extendDeadline(c.var.deps.uploads.timeoutMs);
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  try {
    const offset = await filesOf(c).appendUpload(id, part, source, {
      bodyBytes: length,
      signal: c.req.raw.signal,
    });
    return c.json({ offset });
  } catch (error) {
    source.on('error', () => {}).destroy();
    if (error instanceof FilesError && error.code === 'offset')
      return c.json({ offset: error.offset ?? 0 }, 409);
    throw refusalOf(c, error);
  }
}

/** Gives a complete upload its name. */
export async function finishUpload(c: PanelContext): Promise<Response> {
  const { path, size } = wantedOf(c);
  const replaces = textOf(c.var.form, 'replaces') === '1';
  await inFiles(c, (files) => files.finishUpload(idIn(c), path, { size, replaces }));
  return c.json({ done: true });
}

export async function cancelUpload(c: PanelContext): Promise<Response> {
  await inFiles(c, (files) => files.removeUpload(idIn(c)));
  return c.json({ done: true });
}

/** The folder, the typed path below it (of a folder that is uploaded) and the size. */
function wantedOf(c: PanelContext): { path: WirePath; folder: WirePath; size: number } {
  const folder = pathOf(c, 'folder');
  const names = textOf(c.var.form, 'name').split('/').map(wireNameOfText);
  const path = readWirePath(joinWirePath(folder, names.join('/')));
  const size = Number(textOf(c.var.form, 'size'));
  if (names.includes(undefined) || path === undefined || !Number.isSafeInteger(size) || size < 0)
    throw refusalOf(c, new FilesError('invalid'));
  return { path, folder, size };
}

function idIn(c: PanelContext): string {
  const id = c.req.param('id') ?? '';
  if (!ID.test(id)) throw refusalOf(c, new FilesError('invalid'));
  return id;
}
