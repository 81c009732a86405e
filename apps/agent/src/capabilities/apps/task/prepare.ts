import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ArchiveFailure } from '../../../archives/archive-failure.ts';
import { unpackZip } from '../../../archives/unpack-zip.ts';
import * as place from '../../../node/app-paths.ts';
import { Changes } from '../../../node/changes.ts';
import { Exec } from '../../../node/exec.ts';
import { type BuildTools, build } from './build.ts';
import { BuildLog } from './build-log.ts';
import { clone } from './clone.ts';
import type { PrepareJob, TaskCommit, TaskResult } from './job.ts';
import { isNoRoom } from './no-room.ts';
import { writeStarter } from './starter.ts';
import { TaskFailure } from './task-failure.ts';
import { installWordPress } from './wordpress.ts';

const TAIL_CHARACTERS = 4_000;

/**
 * Prepares one release of an app beside the serving one. It is unpacked or cloned under a temporary name. Then it is
 * built at its final path, because build output may contain that path. Only a release with a note that it is ready is
 * ever swapped in. Returns whether the release is ready. The reason of a failure is written to a file for the agent.
 */
export async function prepare(job: PrepareJob, archiveBytes: number, signal: AbortSignal): Promise<boolean> {
  const { folder, release } = job;
  mkdirSync(place.notesFolder(folder), { recursive: true });
  rmSync(place.resultNote(folder), { force: true });
  rmSync(place.readyNote(folder, release), { force: true });
  mkdirSync(dirname(job.log), { recursive: true });
  const log = new BuildLog(job.log);
  try {
    await fetchFiles(job, archiveBytes, { exec: new Exec(new Changes()), log, signal });
    writeFileSync(place.readyNote(folder, release), '');
    return true;
  } catch (error) {
    const { sentence, retry } = failureOf(error);
    log.write(`${sentence}\n`);
    const { attempt } = job;
    const result: TaskResult = { release, attempt, sentence, retry, tail: log.tail(TAIL_CHARACTERS) };
    replaceNote(place.resultNote(folder), result);
    return false;
  } finally {
    log.close();
    rmSync(place.buildingNote(folder, release), { force: true });
  }
}

async function fetchFiles(job: PrepareJob, archiveBytes: number, tools: BuildTools): Promise<void> {
  const { folder, release, source } = job;
  const staging = place.stagingFolder(folder, release);
  const final = place.releaseFolder(folder, release);
  for (const left of [staging, final]) rmSync(left, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  if (source.kind === 'zip') await unpackZip(0, archiveBytes, staging);
  else if (source.kind === 'git') {
    const commit = await clone(folder, staging, source, tools);
    if (commit !== undefined) replaceNote(place.commitNote(folder), { ...commit, release });
  } else if (source.kind === 'wordpress') await installWordPress(folder, staging, source, tools);
  else writeStarter(staging, source);
  renameSync(staging, final);
  if (job.build === null) return;
  writeFileSync(place.buildingNote(folder, release), '');
  await build(folder, final, job.build, tools);
}

function replaceNote(path: string, note: TaskResult | TaskCommit): void {
  writeFileSync(`${path}.new`, JSON.stringify(note));
  renameSync(`${path}.new`, path);
}

function failureOf(error: unknown): { sentence: string; retry: boolean } {
  if (error instanceof ArchiveFailure) return { sentence: error.message, retry: false };
  if (error instanceof TaskFailure) return { sentence: error.message, retry: error.retry };
  if (isNoRoom(error)) return { sentence: 'The disk is full.', retry: false };
  return { sentence: `The task failed: ${error instanceof Error ? error.message : error}`, retry: true };
}
