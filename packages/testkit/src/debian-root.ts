import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.ts';
import { runProgram } from './program.ts';

/**
 * Root file systems of Debian that are built once and shared by all checkouts of this machine.
 *
 * Each is kept below /var/cache/innkeeper under a name that holds the hash of its recipe; it is built
 * beside its place and renamed into it, under a lock, so a folder of that name is always whole.
 */

const CACHE_DIR = '/var/cache/innkeeper';

export interface DebianRoot {
  /** What the folder's name begins with. */
  name: string;
  /** What it is, for the message when it cannot be built. */
  purpose: string;
  /** Everything that the result hangs on. */
  recipe: unknown;
  /** Options of mmdebstrap. */
  argv: readonly string[];
  suite: string;
  /** Where the packages come from; default: what mmdebstrap takes for the suite. */
  mirror?: string;
  /** The last change, before the root is used. */
  finish?: (root: string) => Promise<void>;
}

export interface RootOptions {
  /** Where everything that the build says goes. */
  logFile: string;
  /** Called with a few words whenever the build reaches its next stage. */
  onStage?: (stage: string) => void;
}

/** Builds the root file system unless it is there, and returns its path. A build takes about a minute. */
export async function ensureDebianRoot(root: DebianRoot, options: RootOptions): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(root.recipe)).digest('hex').slice(0, 12);
  const path = join(CACHE_DIR, `${root.name}-${hash}`);
  if (await exists(path)) return path;
  await mkdir(CACHE_DIR, { recursive: true });
  await mkdir(dirname(options.logFile), { recursive: true });
  await withFileLock(join(CACHE_DIR, 'rootfs.lock'), async () => {
    if (await exists(path)) return;
    await removeUnfinished();
    const unfinished = `${path}.unfinished`;
    await bootstrap(root, unfinished, options);
    await root.finish?.(unfinished);
    await rename(unfinished, path);
  });
  return path;
}

async function bootstrap(root: DebianRoot, target: string, options: RootOptions): Promise<void> {
  const log = createWriteStream(options.logFile, { flags: 'a' });
  try {
    const argv = [
      'mmdebstrap',
      '--variant=minbase',
      '--format=directory',
      ...root.argv,
      ...(await aptProxyOptions()),
      root.suite,
      target,
      ...(root.mirror === undefined ? [] : [root.mirror]),
    ];
    log.write(`${argv.join(' ')}\n`);
    const result = await runProgram(argv, {
      timeoutMs: 15 * 60_000,
      onOutput: (chunk) => {
        log.write(chunk);
        for (const stage of stagesOf(chunk.toString('utf8'))) options.onStage?.(stage);
      },
    });
    if (result.exitCode !== 0) {
      await rm(target, { recursive: true, force: true });
      const reasons = result.stderr.split('\n').filter((line) => line.startsWith('E: '));
      throw new Error(
        `mmdebstrap could not build ${root.purpose}: ${reasons.slice(-5).join('; ')} (its log: ${options.logFile})`,
      );
    }
  } finally {
    await new Promise((resolve) => log.end(resolve));
  }
}

function stagesOf(said: string): string[] {
  const lines = said.matchAll(
    /^I: ((?:running|downloading|extracting|installing|cleaning) .+?)(?:\.\.\.)?$/gm,
  );
  return [...lines].flatMap(([, stage]) => (stage === undefined ? [] : [stage]));
}

/** mmdebstrap leaves the machine's apt configuration aside; a proxy in it must still be used. */
async function aptProxyOptions(): Promise<string[]> {
  const { stdout } = await runProgram(['apt-config', 'dump', '--format', '%f "%v"%n', 'Acquire']);
  return stdout
    .split('\n')
    .filter((line) => /^Acquire::https?::Proxy(::\S+)? "[^"]+"$/i.test(line))
    .map((line) => `--aptopt=${line};`);
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
