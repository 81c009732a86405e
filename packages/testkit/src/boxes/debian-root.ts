import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BuildOptions, ensureCached } from '../processes/cached-build.ts';
import { runProgram } from '../processes/program.ts';

export interface DebianRoot {
  /** Prefix of the folder's name. */
  name: string;
  /** Purpose of the root, for the error message when the build fails. */
  purpose: string;
  /** Everything that determines the result. */
  recipe: unknown;
  /** Options of mmdebstrap. */
  argv: readonly string[];
  suite: string;
  /** Sources of the packages, as lines of sources.list. Default: mmdebstrap's default for the suite. */
  sources?: readonly string[];
  /** Last change to the root before it is used. */
  finish?: (root: string) => Promise<void>;
}

/** Returns the path of the Debian root file system. Builds it if it is missing: a build takes about 1 minute. */
export async function ensureDebianRoot(root: DebianRoot, options: BuildOptions): Promise<string> {
  return await ensureCached({
    name: root.name,
    recipe: root.recipe,
    build: async (folder) => {
      await bootstrap(root, folder, options);
      await root.finish?.(folder);
    },
  });
}

async function bootstrap(root: DebianRoot, target: string, options: BuildOptions): Promise<void> {
  await mkdir(dirname(options.logFile), { recursive: true });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  try {
    const argv = [
      'mmdebstrap',
      '--variant=minbase',
      '--format=directory',
      ...root.argv,
      ...(await aptProxies()).map((line) => `--aptopt=${line}`),
      root.suite,
      target,
      ...(root.sources ?? []),
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

/**
 * The proxies of the machine's apt configuration, as configuration lines: an apt that ignores that configuration must
 * still use them.
 */
export async function aptProxies(): Promise<string[]> {
  const { stdout } = await runProgram(['apt-config', 'dump', '--format', '%f "%v"%n', 'Acquire']);
  return stdout
    .split('\n')
    .filter((line) => /^Acquire::https?::Proxy(::\S+)? "[^"]+"$/i.test(line))
    .map((line) => `${line};`);
}
