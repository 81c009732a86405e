import { fstatSync, readFileSync, readSync } from 'node:fs';
import { changeFiles } from './files.ts';
import type { FilesJob, PrepareJob } from './job.ts';
import { prepare } from './prepare.ts';

/**
 * The program that the agent runs as an account, in the account's home. `run BYTES`: one long job, in standard input
 * after an archive of that many bytes. `files UID`: one step, from standard input. It starts as root and changes only
 * its effective uid and gid, so the account can neither signal nor trace it.
 */
async function main([mode, size]: readonly string[]): Promise<number> {
  process.umask(0o022);
  if (mode === 'files') {
    become(Number(size));
    changeFiles(JSON.parse(readFileSync(0, 'utf8')) as FilesJob);
    return 0;
  }
  const archiveBytes = Number(size);
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  return (await prepare(readJob(archiveBytes), archiveBytes, ended.signal)) ? 0 : 1;
}

function become(uid: number): void {
  process.setgroups?.([]);
  process.setegid?.(uid);
  process.seteuid?.(uid);
  if (!(uid > 0) || process.geteuid?.() !== uid || process.getegid?.() !== uid)
    throw new Error(`cannot become ${uid}`);
}

function readJob(position: number): PrepareJob {
  const text = Buffer.alloc(fstatSync(0).size - position);
  let filled = 0;
  while (filled < text.length) {
    const count = readSync(0, text, filled, text.length - filled, position + filled);
    if (count === 0) throw new Error('The job is cut off.');
    filled += count;
  }
  return JSON.parse(text.toString('utf8')) as PrepareJob;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`innkeeper-task: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
