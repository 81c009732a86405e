import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { type FileJob, fileJob, joinWirePath, type WirePath, wireNameOfText } from '@innkeeper/domain';
import { type ArchiveFormat, archiveInto } from './archive.ts';
import { ensureFolder } from './changes.ts';
import { extractBeside } from './extract.ts';
import { FileFailure, failureOf } from './file-failure.ts';
import { below, findEntry, type Home, STATE_FOLDER } from './home.ts';
import { Progress } from './progress.ts';
import { forgetRemoved, placesInTrash } from './trash.ts';
import { copyInto, removeTree } from './trees.ts';

/** Work that can take minutes. It runs while its request is open; its state is a file, so every program of the account sees it. */
export type JobRequest = { id: string } & (
  | { kind: 'copy'; paths: WirePath[]; folder: WirePath }
  | { kind: 'archive'; paths: WirePath[]; folder: WirePath; name: string; format: ArchiveFormat }
  | { kind: 'extract'; path: WirePath }
  /** Removes for good. Without names or paths: everything in the trash. */
  | { kind: 'remove'; names?: string[]; paths?: WirePath[] }
);

const ID = /^[0-9a-f]{32}$/;
const STATE_BYTES = 24 * 1024;
const EVERY_MS = 500;
/** A running job writes its state more often. */
const LOST_AFTER_MS = 15_000;
const KEPT_MS = 24 * 3_600_000;
const MOST_JOBS = 50;
const JOBS = joinWirePath(STATE_FOLDER, 'jobs');

/**
 * Runs a job, and reports its state at the start, twice a second and at the end. Its state file is written in place and never
 * becomes longer, so it can be written when the quota is reached. Whoever removes the file cancels the job.
 */
export async function runJob(
  home: Home,
  request: JobRequest,
  report: (job: FileJob) => void,
  gone: AbortSignal,
): Promise<void> {
  const place = placeOf(home, request.id);
  const cancelled = new AbortController();
  const signal = AbortSignal.any([gone, cancelled.signal]);
  const progress = new Progress(signal, request.kind === 'remove' ? 'entries' : 'bytes');
  const state: FileJob = {
    id: request.id,
    kind: request.kind,
    path: subjectOf(request),
    state: 'running',
    done: 0,
    total: 0,
    unit: progress.unit,
    started_ms: Date.now(),
  };
  const tell = () => {
    const { done, total, skipped } = progress;
    Object.assign(state, { done, total, ...(skipped > 0 ? { skipped } : {}) });
    report(state);
  };
  const fd = openSync(place, 'wx', 0o600);
  const timer = setInterval(() => {
    if (findEntry(place) === undefined) cancelled.abort();
    tell();
    writeState(fd, state);
  }, EVERY_MS);
  try {
    writeState(fd, state);
    tell();
    state.result = await work(home, request, progress);
    state.state = 'done';
  } catch (error) {
    const { failure, detail } = failureOf(error);
    Object.assign(state, { state: 'failed', failure, ...(detail === undefined ? {} : { detail }) });
  } finally {
    clearInterval(timer);
    tell();
    writeState(fd, state);
    closeSync(fd);
  }
}

async function work(home: Home, request: JobRequest, progress: Progress): Promise<WirePath> {
  if (request.kind === 'copy') {
    const places = request.paths.map((path) => home.entry(path));
    const copies = await copyInto(places, home.folder(request.folder), progress);
    return copies.length === 1 ? home.wire(copies[0]!) : request.folder;
  }
  if (request.kind === 'archive') {
    const { paths, name, format } = request;
    if (wireNameOfText(name) === undefined) throw new FileFailure('invalid');
    const places = paths.map((path) => home.entry(path));
    const target = { folder: home.folder(request.folder), name: Buffer.from(name), format };
    return home.wire(await archiveInto(home, places, target, progress));
  }
  if (request.kind === 'extract')
    return home.wire(await extractBeside(home, home.real(request.path), progress));
  const { names, paths } = request;
  const places = paths?.map((path) => home.entry(path)) ?? placesInTrash(home, names);
  if (paths?.includes('') === true) throw new FileFailure('invalid');
  progress.total = places.length;
  try {
    for (const one of places) await removeTree(one, progress);
  } finally {
    forgetRemoved(home);
  }
  return '';
}

function subjectOf(request: JobRequest): WirePath {
  if (request.kind === 'extract') return request.path;
  return request.kind === 'remove' ? (request.paths?.[0] ?? '') : (request.paths[0] ?? '');
}

/** The state of all jobs of the last day, the newest first. A job without a sign of life is `lost`. */
export function listJobs(home: Home): FileJob[] {
  const folder = ensureFolder(home, JOBS, 0o700);
  const now = Date.now();
  const jobs = readdirSync(folder).flatMap((name) => {
    const place = below(folder, Buffer.from(name));
    const state = ID.test(name) ? readState(place) : undefined;
    if (state === undefined) return [];
    const age = now - statSync(place).mtimeMs;
    if (age > KEPT_MS) {
      rmSync(place, { force: true });
      return [];
    }
    return [state.state === 'running' && age > LOST_AFTER_MS ? { ...state, state: 'lost' as const } : state];
  });
  return jobs.sort((one, other) => other.started_ms - one.started_ms).slice(0, MOST_JOBS);
}

/** Cancels a job that runs, and forgets one that has ended. */
export function forgetJob(home: Home, id: string): void {
  rmSync(placeOf(home, id), { force: true });
}

function placeOf(home: Home, id: string): Buffer {
  if (!ID.test(id)) throw new FileFailure('invalid');
  return below(ensureFolder(home, JOBS, 0o700), Buffer.from(id));
}

function writeState(fd: number, state: FileJob): void {
  const text = Buffer.alloc(STATE_BYTES, ' ');
  text.write(JSON.stringify(state));
  try {
    writeSync(fd, text, 0, text.length, 0);
  } catch {
    // Without room at its start the job has no state file. Its request still reports.
  }
}

function readState(place: Buffer): FileJob | undefined {
  try {
    const stats = findEntry(place);
    if (stats?.isFile() !== true || stats.size > STATE_BYTES) return undefined;
    return fileJob.parse(JSON.parse(readFileSync(place, 'utf8')));
  } catch {
    return undefined;
  }
}
