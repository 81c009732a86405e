import { createHash } from 'node:crypto';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from './file-lock.ts';

/**
 * Folders that take long to build, built once and shared by all checkouts of this machine.
 *
 * Each is kept below /var/cache/innkeeper under a name that holds the hash of its recipe; it is built
 * beside its place and renamed into it, under a lock, so a folder of that name is always whole.
 */

const CACHE_DIR = '/var/cache/innkeeper';

export interface CachedBuild {
  /** What the folder's name begins with. */
  name: string;
  /** Everything that the result hangs on. */
  recipe: unknown;
  /** Makes the folder, which is not there. */
  build: (folder: string) => Promise<void>;
}

export interface BuildOptions {
  /** Where everything that the build says goes. */
  logFile: string;
  /** Called with a few words whenever the build reaches its next stage. */
  onStage?: ((stage: string) => void) | undefined;
}

/** Builds the folder unless it is there, and returns its path. */
export async function ensureCached({ name, recipe, build }: CachedBuild): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
  const path = join(CACHE_DIR, `${name}-${hash}`);
  if (await exists(path)) return path;
  await mkdir(CACHE_DIR, { recursive: true });
  await withFileLock(join(CACHE_DIR, 'rootfs.lock'), async () => {
    if (await exists(path)) return;
    await removeUnfinished();
    const unfinished = `${path}.unfinished`;
    await build(unfinished);
    await rename(unfinished, path);
  });
  return path;
}

async function removeUnfinished(): Promise<void> {
  for (const name of await readdir(CACHE_DIR)) {
    if (name.endsWith('.unfinished')) await rm(join(CACHE_DIR, name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
