import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** Lock for every process that builds or reads `dist/`: `up` and a test run of one checkout share the folder. */
export const DIST_LOCK = join(ROOT, '.toolchain/dist.lock');

/** The output of `./scripts/build`. */
export const artefacts = {
  api: join(ROOT, 'dist/innkeeper-api.mjs'),
  innctl: join(ROOT, 'dist/innctl.mjs'),
  /** A folder: the agent, the Node.js that runs it, and the installer. */
  agentRelease: join(ROOT, 'dist/agent'),
} as const;

/** Throws an error with the names of the missing bundles. */
export function requireBundles(): void {
  const missing = Object.values(artefacts).filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`not built yet: ${missing.join(', ')}; ./scripts/build builds them`);
}

/**
 * Copies the running Node.js and the bundles of the control plane into `binDir`, for users who may not enter the
 * checkout.
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

/** Replaces a file by rename: a running program keeps the file that it was started from. */
async function replace(path: string, make: (path: string) => Promise<void>): Promise<void> {
  const made = `${path}.new`;
  await rm(made, { force: true });
  await make(made);
  await rename(made, path);
}

/**
 * Returns the SHA-256 of a file, or of the names, modes and contents below a folder. Undefined if the path does not
 * exist.
 */
export async function hashTree(path: string): Promise<string | undefined> {
  const root = await stat(path).catch(() => undefined);
  if (root === undefined) return undefined;
  const names = root.isDirectory() ? (await readdir(path, { recursive: true })).sort() : [''];
  const hash = createHash('sha256');
  for (const name of names) {
    const { mode, size } = await stat(join(path, name));
    hash.update(`${name}\0${mode}\0${size}\0`);
    if ((mode & constants.S_IFMT) === constants.S_IFREG) await addFile(hash, join(path, name));
  }
  return hash.digest('hex');
}

/** Returns the SHA-256 of the contents of some files. */
export async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) await addFile(hash, path);
  return hash.digest('hex');
}

async function addFile(hash: Hash, path: string): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer);
}

/** Returns the text of a file from an earlier run, or undefined. */
export async function readMark(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
