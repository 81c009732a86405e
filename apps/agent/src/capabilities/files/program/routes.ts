import { Readable } from 'node:stream';
import { fileOrders, isWirePath, jobKinds } from '@innkeeper/domain';
import { z } from 'zod';
import { archiveStream, leftOut } from './archive.ts';
import { makeFile, makeFolder, moveEntry, moveInto, setMode } from './changes.ts';
import { openRegular, readBytes, readRange, saveFile } from './content.ts';
import { FileFailure } from './file-failure.ts';
import { forgetJob, type JobRequest, listJobs, runJob } from './jobs.ts';
import { listFolder, readTree, statEntry } from './list.ts';
import { Progress } from './progress.ts';
import { search } from './search.ts';
import type { FileAnswer, FileRequest } from './server.ts';
import { listTrash, moveToTrash, restore } from './trash.ts';
import { appendUpload, finishUpload, removeUpload, uploadOffset } from './uploads.ts';

const wirePath = z.string().refine(isWirePath);
const wirePaths = z.array(wirePath).min(1).max(10_000);
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const mode = z.number().int().min(0).max(0o777);
const uploadId = z.string().regex(/^[0-9a-f]{32}$/);

const listQuery = z.object({
  order: z.enum(fileOrders).default('name'),
  descending: z.stringbool().default(false),
  offset: count.default(0),
  limit: count.max(20_000).default(1_000),
  filter: z.string().max(255).default(''),
  foldersOnly: z.stringbool().default(false),
});
const jobRequest = z.object({
  id: uploadId,
  kind: z.enum(jobKinds),
  paths: wirePaths.optional(),
  names: z.array(wirePath).max(10_000).optional(),
  path: wirePath.optional(),
  folder: wirePath.optional(),
  name: z.string().min(1).max(255).optional(),
  format: z.enum(['zip', 'tar.gz']).optional(),
});

type Route = (request: FileRequest) => Promise<FileAnswer>;

/** Every operation, as `METHOD name`. */
export const routes: Readonly<Record<string, Route>> = {
  'GET list': async ({ home, path, query }) => ({
    json: listFolder(home, path, read(listQuery, queryOf(query))),
  }),
  'GET tree': async ({ home, path }) => ({ json: readTree(home, path) }),
  'GET stat': async ({ home, path }) => ({ json: statEntry(home, path) }),
  'GET content': sendContent,
  'GET zip': sendZip,
  'GET search': async ({ home, path, query, signal }) => {
    const wanted = read(
      z.object({ text: z.string().min(1).max(255), by: z.enum(['name', 'content']) }),
      queryOf(query),
    );
    return { json: await search(home, path, { ...wanted, signal }) };
  },
  'PUT content': async ({ home, path, headers, body }) => ({
    json: await saveFile(home, path, body, {
      ifMatch: headers['if-match'],
      isNew: headers['if-none-match'] === '*',
    }),
  }),
  'POST folder': async ({ home, path }) => ({ json: makeFolder(home, path) }),
  'POST file': async ({ home, path }) => ({ json: await makeFile(home, path) }),
  'POST rename': async ({ home, path, json }) => {
    const { to } = read(z.object({ to: wirePath }), await json());
    await moveEntry(home, path, to);
    return { json: { paths: [to] } };
  },
  'POST move': async ({ home, path, json }) => {
    const { paths } = read(z.object({ paths: wirePaths }), await json());
    return { json: { paths: await moveInto(home, paths, path) } };
  },
  'POST mode': async ({ home, path, json }) => {
    const schema = z.object({ mode, below: z.object({ files: mode, folders: mode }).optional() });
    const wanted = read(schema, await json());
    return { json: { changed: setMode(home, path, wanted.mode, wanted.below) } };
  },
  'POST delete': async ({ home, json }) => {
    const { paths } = read(z.object({ paths: wirePaths }), await json());
    await moveToTrash(home, paths);
    return { json: { paths } };
  },
  'GET trash': async ({ home }) => ({ json: listTrash(home) }),
  'POST restore': async ({ home, json }) => {
    const { names } = read(z.object({ names: wirePaths }), await json());
    return { json: { paths: await restore(home, names) } };
  },
  'GET upload': async ({ home, query }) => ({ json: { offset: await uploadOffset(home, idIn(query)) } }),
  'PUT upload': async ({ home, query, body }) => {
    const { id, ...part } = read(z.object({ id: uploadId, offset: count, size: count }), queryOf(query));
    return { json: { offset: await appendUpload(home, id, part, body) } };
  },
  'POST upload': async ({ home, path, query, json }) => {
    const wanted = read(z.object({ size: count, replaces: z.boolean() }), await json());
    return { json: await finishUpload(home, idIn(query), { path, ...wanted }) };
  },
  'DELETE upload': async ({ home, query }) => {
    removeUpload(home, idIn(query));
    return { status: 204 };
  },
  'GET jobs': async ({ home }) => ({ json: { jobs: listJobs(home) } }),
  'POST jobs': startJob,
  'DELETE jobs': async ({ home, query }) => {
    forgetJob(home, idIn(query));
    return { status: 204 };
  },
};

async function sendContent({ home, path, headers }: FileRequest): Promise<FileAnswer> {
  const file = await openRegular(home.real(path));
  const { size, etag, mtimeMs } = file;
  const common = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(mtimeMs).toUTCString(),
    'Content-Type': 'application/octet-stream',
  };
  // A range of another version would be joined to what the reader has.
  const isOther = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  const range = isOther ? undefined : readRange(headers.range, size);
  if (range === null) {
    await file.handle.close();
    return { status: 416, headers: { ...common, 'Content-Range': `bytes */${size}`, 'Content-Length': '0' } };
  }
  const { start, end } = range ?? { start: 0, end: size };
  const stream = Readable.from(readBytes(file, start, end), { objectMode: false });
  stream.once('close', () => file.handle.close().catch(() => {}));
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...common,
      'Content-Length': `${end - start}`,
      ...(range === undefined ? {} : { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
    },
    stream,
  };
}

/** A folder, or the entries of it that the query names, as a ZIP archive that is made while it is sent. */
async function sendZip({ home, path, query, signal }: FileRequest): Promise<FileAnswer> {
  const names = query.getAll('name');
  if (names.some((name) => !isWirePath(name) || name === '' || name.includes('/')))
    throw new FileFailure('invalid');
  const places =
    names.length === 0
      ? [home.folder(path)]
      : names.map((name) => home.entry(path === '' ? name : `${path}/${name}`));
  const progress = new Progress(signal, 'bytes');
  const stream = archiveStream(places, 'zip', { isLeftOut: leftOut(home), progress });
  return { headers: { 'Content-Type': 'application/zip' }, stream };
}

/** The answer has a line for each state of the job, and ends with it. */
async function startJob({ home, json, signal }: FileRequest): Promise<FileAnswer> {
  const request = readJob(await json());
  const lines = new Readable({ read() {} });
  // A reader that is gone cancels the job, and needs no line.
  const report = (job: unknown) => {
    if (!lines.destroyed && lines.readableLength < 64 * 1024) lines.push(`${JSON.stringify(job)}\n`);
  };
  runJob(home, request, report, signal).then(
    () => lines.push(null),
    (error: unknown) => lines.destroy(error as Error),
  );
  return { headers: { 'Content-Type': 'application/x-ndjson' }, stream: lines };
}

function readJob(body: unknown): JobRequest {
  const { id, kind, paths, names, path, folder, name, format } = read(jobRequest, body);
  if (kind === 'copy' && paths !== undefined && folder !== undefined) return { id, kind, paths, folder };
  if (kind === 'archive' && paths !== undefined && folder !== undefined && name !== undefined)
    return { id, kind, paths, folder, name, format: format ?? 'zip' };
  if (kind === 'extract' && path !== undefined) return { id, kind, path };
  if (kind === 'remove') return { id, kind, ...(names && { names }), ...(paths && { paths }) };
  throw new FileFailure('invalid');
}

function idIn(query: URLSearchParams): string {
  return read(uploadId, query.get('id'));
}

function queryOf(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(query);
}

function read<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const { data, success } = schema.safeParse(value);
  if (!success) throw new FileFailure('invalid');
  return data;
}
