import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { requireProgram } from './program.ts';

/**
 * The folder with all state of one `up`, or of one test run.
 *
 * A checkout may be below a folder that only root may enter, and its path may be too long for a Unix socket. Therefore
 * all processes of other users see the folder at `path`: a short bind mount below /run, named after the hash of the
 * folder's own path.
 */
export interface StateDir {
  /** The folder itself, in the checkout. */
  dir: string;
  /** The mounted path of the same folder, for all processes. */
  path: string;
}

/** Returns the two paths of a state folder. Changes nothing. */
export function stateDirOf(dir: string): StateDir {
  const absolute = resolve(dir);
  const hash = createHash('sha256').update(absolute).digest('hex').slice(0, 8);
  return { dir: absolute, path: join('/run', `innkeeper-dev-${hash}`) };
}

/** Creates the folder if it is missing and mounts it. Idempotent. */
export async function mountStateDir(dir: string): Promise<StateDir> {
  const state = stateDirOf(dir);
  await mkdir(state.dir, { recursive: true });
  await chmod(state.dir, 0o755);
  await mkdir(state.path, { recursive: true });
  if (await isSameFolder(state)) return state;
  // The folder was removed and created again while it was mounted: the mount shows the removed one.
  await unmountStateDir(state);
  await mkdir(state.path, { recursive: true });
  await requireProgram(['mount', '--bind', state.dir, state.path]);
  return state;
}

/** Returns the folder for reading: mounts nothing. If nothing is mounted, nothing runs. */
export async function findStateDir(dir: string): Promise<StateDir> {
  const state = stateDirOf(dir);
  const isMounted = await isSameFolder(state).catch(() => false);
  return isMounted ? state : { dir: state.dir, path: state.dir };
}

/** Unmounts the folder. The folder and its contents stay. Nothing may run below it any more. */
export async function unmountStateDir(state: StateDir): Promise<void> {
  while (await isMountPoint(state.path)) await requireProgram(['umount', '--lazy', state.path]);
  await rmdir(state.path).catch(() => {});
}

async function isSameFolder(state: StateDir): Promise<boolean> {
  const [folder, mounted] = await Promise.all([stat(state.dir), stat(state.path)]);
  return folder.dev === mounted.dev && folder.ino === mounted.ino;
}

async function isMountPoint(path: string): Promise<boolean> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8');
  return mounts.split('\n').some((line) => line.split(' ')[4] === path);
}
