import { createHash } from 'node:crypto';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from './file-lock.ts';

/**
 * Cache for folders that take long to build. All checkouts of this machine share it.
 *
 * Each folder is below /var/cache/innkeeper under a name with the hash of its recipe. It is built in a temporary folder
 * and renamed, under a lock, so a folder with that name is always complete.
 */

const CACHE_DIR = '/var/cache/innkeeper';

export interface CachedBuild {
  /** Prefix of the folder's name. */
  name: string;
  /** Everything that determines the result. */
  recipe: unknown;
  /** Builds the folder, which does not exist yet. */
  build: (folder: string) => Promise<void>;
}

export interface BuildOptions {
  /** File for the build's output. */
  logFile: string;
  /** Called with a few words at each new stage of the build. */
  onStage?: ((stage: string) => void) | undefined;
}

/** Returns the folder's path. Builds the folder if it is missing. */
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
