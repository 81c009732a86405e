import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import {
  EDITED_TEXT_MAX_BYTES,
  type FileJob,
  type FileList,
  type FileOrder,
  type FileStat,
  type FolderTree,
  fileEtag,
  fileJob,
  fileJobs,
  fileList,
  filePaths,
  fileStat,
  folderTree,
  type SearchFinds,
  searchFinds,
  type TrashList,
  trashList,
  uploadState,
  type WirePath,
} from '@innkeeper/domain';
import { z } from 'zod';
import { FilesError } from './files-error.ts';
import { askProgram, type ProgramPool, readAll, requireSuccess, sendToProgram } from './program-request.ts';

export interface ListOptions {
  order?: FileOrder;
  descending?: boolean;
  offset?: number;
  limit?: number;
  filter?: string;
  foldersOnly?: boolean;
}

export interface OpenedFile {
  /** 200, 206 or 416. */
  status: number;
  /** Bytes of the answer. */
  length: number;
  /** `bytes A-B/SIZE`. */
  contentRange: string | undefined;
  etag: string;
  content: Readable;
}

export type NewJob = { id: string } & (
  | { kind: 'copy'; paths: readonly WirePath[]; folder: WirePath }
  | { kind: 'archive'; paths: readonly WirePath[]; folder: WirePath; name: string; format: 'zip' | 'tar.gz' }
  | { kind: 'extract'; path: WirePath }
  | { kind: 'remove'; names?: readonly string[]; paths?: readonly WirePath[] }
);

const LINE_MAX_BYTES = 64 * 1024;

/** The files of one account, through its file program. Every answer is checked. */
export class FilesClient {
  readonly #pool: ProgramPool;

  constructor(pool: ProgramPool) {
    this.#pool = pool;
  }

  async list(path: WirePath, options: ListOptions = {}): Promise<FileList> {
    const query = new URLSearchParams(
      Object.entries(options).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return await askProgram(this.#pool, { method: 'GET', path: `list/${path}?${query}` }, fileList);
  }

  async tree(path: WirePath): Promise<FolderTree> {
    return await askProgram(this.#pool, { method: 'GET', path: `tree/${path}` }, folderTree);
  }

  async stat(path: WirePath): Promise<FileStat> {
    return await askProgram(this.#pool, { method: 'GET', path: `stat/${path}` }, fileStat);
  }

  /** The content of a file, from the program as fast as it is read. */
  async open(
    path: WirePath,
    {
      range,
      ifRange,
      signal,
    }: { range?: string | undefined; ifRange?: string | undefined; signal?: AbortSignal } = {},
  ): Promise<OpenedFile> {
    const headers = {
      ...(range === undefined ? {} : { Range: range }),
      ...(ifRange === undefined ? {} : { 'If-Range': ifRange }),
    };
    const incoming = await sendToProgram(this.#pool, {
      method: 'GET',
      path: `content/${path}`,
      headers,
      signal,
    });
    const { statusCode = 0 } = incoming;
    if (statusCode !== 416) await requireSuccess(incoming);
    return readHead(incoming);
  }

  /** A file as text, with its etag. Throws `too_large` or `binary` for what no editor shows. */
  async readText(path: WirePath): Promise<{ text: string; encoding: 'utf-8' | 'latin1'; etag: string }> {
    const { content, length, etag } = await this.open(path);
    if (length > EDITED_TEXT_MAX_BYTES) {
      content.destroy();
      throw new FilesError('too_large');
    }
    const bytes = await readAll(content as IncomingMessage, EDITED_TEXT_MAX_BYTES);
    if (bytes.includes(0)) throw new FilesError('binary');
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return { text, encoding: 'utf-8', etag };
    } catch {
      // Old pages: each byte is a character, and stays the same byte when the file is saved.
      if (bytes.some((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13))
        throw new FilesError('binary');
      return { text: bytes.toString('latin1'), encoding: 'latin1', etag };
    }
  }

  /** Replaces a file. With an etag only if nobody has changed it since. */
  async save(path: WirePath, content: Buffer, etag?: string): Promise<FileStat> {
    const headers = etag === undefined ? {} : { 'If-Match': etag };
    return await askProgram(
      this.#pool,
      { method: 'PUT', path: `content/${path}`, headers, body: content },
      fileStat,
    );
  }

  async makeFile(path: WirePath): Promise<FileStat> {
    return await askProgram(this.#pool, { method: 'POST', path: `file/${path}` }, fileStat);
  }

  async makeFolder(path: WirePath): Promise<FileStat> {
    return await askProgram(this.#pool, { method: 'POST', path: `folder/${path}` }, fileStat);
  }

  async rename(path: WirePath, to: WirePath): Promise<void> {
    await askProgram(this.#pool, { method: 'POST', path: `rename/${path}`, json: { to } }, filePaths);
  }

  async move(paths: readonly WirePath[], folder: WirePath): Promise<void> {
    await askProgram(this.#pool, { method: 'POST', path: `move/${folder}`, json: { paths } }, filePaths);
  }

  /** Returns the number of changed entries. */
  async setMode(
    path: WirePath,
    wanted: { mode: number; below?: { files: number; folders: number } },
  ): Promise<number> {
    const schema = z.object({ changed: z.number().int().min(0) });
    return (await askProgram(this.#pool, { method: 'POST', path: `mode/${path}`, json: wanted }, schema))
      .changed;
  }

  /** Moves entries into the trash. */
  async delete(paths: readonly WirePath[]): Promise<void> {
    await askProgram(this.#pool, { method: 'POST', path: 'delete', json: { paths } }, filePaths);
  }

  async listTrash(): Promise<TrashList> {
    return await askProgram(this.#pool, { method: 'GET', path: 'trash' }, trashList);
  }

  /** Returns where the entries are now. */
  async restore(names: readonly string[]): Promise<WirePath[]> {
    return (await askProgram(this.#pool, { method: 'POST', path: 'restore', json: { names } }, filePaths))
      .paths;
  }

  async search(path: WirePath, wanted: { text: string; by: 'name' | 'content' }): Promise<SearchFinds> {
    const query = new URLSearchParams(wanted);
    return await askProgram(this.#pool, { method: 'GET', path: `search/${path}?${query}` }, searchFinds);
  }

  /** A ZIP archive of a folder, or of entries in it, made while it is read. */
  async zip(path: WirePath, names: readonly string[], signal?: AbortSignal): Promise<Readable> {
    const query = new URLSearchParams(names.map((name): [string, string] => ['name', name]));
    const incoming = await sendToProgram(this.#pool, { method: 'GET', path: `zip/${path}?${query}`, signal });
    await requireSuccess(incoming);
    return incoming;
  }

  /** Bytes of an upload that have arrived. */
  async uploadOffset(id: string): Promise<number> {
    return (await askProgram(this.#pool, { method: 'GET', path: `upload?id=${id}` }, uploadState)).offset;
  }

  /** Returns how much has arrived. Throws `offset`, with where to go on. */
  async appendUpload(
    id: string,
    { offset, size }: { offset: number; size: number },
    body: Readable | Buffer,
    { bodyBytes, signal }: { bodyBytes?: number; signal?: AbortSignal } = {},
  ): Promise<number> {
    const path = `upload?id=${id}&offset=${offset}&size=${size}`;
    const wanted = {
      method: 'PUT' as const,
      path,
      body,
      signal,
      ...(bodyBytes === undefined ? {} : { bodyBytes }),
    };
    return (await askProgram(this.#pool, wanted, uploadState)).offset;
  }

  /** Gives a complete upload its name. */
  async finishUpload(
    id: string,
    path: WirePath,
    wanted: { size: number; replaces: boolean },
  ): Promise<FileStat> {
    const method = 'POST' as const;
    return await askProgram(this.#pool, { method, path: `upload/${path}?id=${id}`, json: wanted }, fileStat);
  }

  async removeUpload(id: string): Promise<void> {
    await this.#forget(`upload?id=${id}`);
  }

  async listJobs(): Promise<FileJob[]> {
    return (await askProgram(this.#pool, { method: 'GET', path: 'jobs' }, fileJobs)).jobs;
  }

  /** Cancels a job that runs, and forgets one that has ended. */
  async forgetJob(id: string): Promise<void> {
    await this.#forget(`jobs?id=${id}`);
  }

  async #forget(path: string): Promise<void> {
    const incoming = await sendToProgram(this.#pool, { method: 'DELETE', path });
    await requireSuccess(incoming);
    incoming.resume();
  }

  /** Starts a job. The states of the job follow until its end. The job ends with the reader. */
  async *runJob(job: NewJob, signal?: AbortSignal): AsyncGenerator<FileJob> {
    const incoming = await sendToProgram(this.#pool, { method: 'POST', path: 'jobs', json: job, signal });
    await requireSuccess(incoming);
    try {
      for await (const line of linesOf(incoming)) yield parseJob(line, job.id);
    } finally {
      incoming.destroy();
    }
  }
}

function readHead(incoming: IncomingMessage): OpenedFile {
  const { statusCode = 0, headers } = incoming;
  const length = /^\d{1,16}$/.test(headers['content-length'] ?? '')
    ? Number(headers['content-length'])
    : undefined;
  const contentRange = headers['content-range'];
  const etag = fileEtag.safeParse(headers.etag);
  const hasRange =
    contentRange === undefined || /^bytes (?:\d{1,16}-\d{1,16}|\*)\/\d{1,16}$/.test(contentRange);
  if (![200, 206, 416].includes(statusCode) || length === undefined || !etag.success || !hasRange) {
    incoming.destroy();
    throw new FilesError('unavailable');
  }
  return { status: statusCode, length, contentRange, etag: etag.data, content: incoming };
}

async function* linesOf(incoming: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of incoming) {
      rest += (chunk as Buffer).toString('utf8');
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > LINE_MAX_BYTES) throw new FilesError('unavailable');
    }
  } catch (error) {
    throw error instanceof FilesError ? error : new FilesError('unavailable', { cause: error });
  }
}

function parseJob(line: string, id: string): FileJob {
  try {
    const job = fileJob.parse(JSON.parse(line));
    if (job.id === id) return job;
  } catch {
    // An answer of another job is as wrong as no job.
  }
  throw new FilesError('unavailable');
}
