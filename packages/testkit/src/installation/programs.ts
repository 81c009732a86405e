import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const ROOT = join(import.meta.dirname, '../../../..');

/** Held by whoever builds or reads `dist/`: `up` and a test run of one checkout share it. */
export const DIST_LOCK = join(ROOT, '.toolchain/dist.lock');

/** What `./scripts/build` makes. */
export const artefacts = {
  api: join(ROOT, 'dist/innkeeper-api.mjs'),
  innctl: join(ROOT, 'dist/innctl.mjs'),
  /** A folder: the agent, the Node that runs it, and the installer. */
  agentRelease: join(ROOT, 'dist/agent'),
} as const;

/** Rejects with the names of the bundles that are not built. */
export function requireBundles(): void {
  const missing = Object.values(artefacts).filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`not built yet: ${missing.join(', ')}; ./scripts/build builds them`);
}

/**
 * Puts the Node that runs this, and the bundles of the control plane, into `binDir`: users who may not
 * enter the checkout run them from there.
 */
export async function placePrograms(binDir: string): Promise<void> {
  await mkdir(binDir, { recursive: true });
  await replace(join(binDir, 'node'), (path) =>
    link(process.execPath, path).catch(() => copyFile(process.execPath, path)),
  );
  for (const [name, source] of [
    ['innkeeper-api.mjs', artefacts.api],
    ['innctl.mjs', artefacts.innctl],
  ] as const) {
    await replace(join(binDir, name), (path) => copyFile(source, path));
  }
}

/** A running program keeps the file that it was started from. */
async function replace(path: string, make: (path: string) => Promise<void>): Promise<void> {
  const made = `${path}.new`;
  await rm(made, { force: true });
  await make(made);
  await rename(made, path);
}

/** SHA-256 of the names and contents of all files below a folder. */
export async function hashFolder(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return createHash('sha256')
    .update(JSON.stringify(files))
    .update(await hashFiles(files))
    .digest('hex');
}

/** SHA-256 of the contents of some files. */
export async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths)
    await pipeline(createReadStream(path), async (chunks) => {
      for await (const chunk of chunks) hash.update(chunk as Buffer);
    });
  return hash.digest('hex');
}

/** The text of a file that an earlier run left, or undefined. */
export async function readMark(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
