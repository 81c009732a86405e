import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nodejsFolder, notesFolder } from '../../../node/app-paths.ts';
import type { Exec, Program } from '../../../node/exec.ts';
import type { BuildLog } from './build-log.ts';
import type { BuildPlan } from './job.ts';
import { TaskFailure } from './task-failure.ts';

const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json'];
/**
 * Error codes for an unreachable or failing registry. npm's exit code is 1 for every error, and it prints the error
 * code on a line of its own, independent of the language.
 */
const REGISTRY_AWAY =
  /^npm (?:error|ERR!) code (?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E5\d\d|ERR_SOCKET_TIMEOUT)$/m;

export interface BuildTools {
  readonly exec: Exec;
  readonly log: BuildLog;
  readonly signal: AbortSignal;
}

/**
 * Installs the dependencies of a Node.js app, and builds it. The build has development dependencies whatever the app's
 * NODE_ENV is. The registry is a default: the .npmrc of a project or a user has priority.
 */
export async function build(
  folder: string,
  release: string,
  plan: BuildPlan,
  tools: BuildTools,
): Promise<void> {
  if (!existsSync(join(release, 'package.json'))) return;
  const settings = resolve(notesFolder(folder), 'npmrc');
  writeFileSync(settings, `registry=${plan.registry}\n`);
  const home = process.cwd();
  const bin = nodejsFolder(plan.nodeVersion);
  const variables = {
    HOME: home,
    LANG: 'C.UTF-8',
    ...plan.env,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    npm_config_globalconfig: settings,
    npm_config_cache: resolve(folder, '.npm'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_progress: 'false',
  };
  const npm: Program = `${bin}/npm`;
  const run = async (args: readonly string[]) => {
    tools.log.write(`$ npm ${args.join(' ')}\n`);
    const ended = await tools.exec.follow(npm, args, {
      cwd: resolve(release),
      variables,
      signal: tools.signal,
      onOutput: (chunk) => tools.log.write(chunk),
    });
    if (ended.exitCode === 0) return;
    const retry = args[0] !== 'run' && REGISTRY_AWAY.test(tools.log.tail(8_000));
    throw new TaskFailure(`npm ${args[0] === 'run' ? 'run build' : args[0]} ${howItEnded(ended)}`, { retry });
  };
  const hasLock = LOCK_FILES.some((name) => existsSync(join(release, name)));
  await run([hasLock ? 'ci' : 'install', '--include=dev']);
  await run(['run', 'build', '--if-present']);
}

function howItEnded({
  exitCode,
  signal,
}: {
  exitCode: number | undefined;
  signal: string | undefined;
}): string {
  if (exitCode !== undefined) return `failed with exit code ${exitCode}.`;
  return signal === 'SIGKILL'
    ? 'was killed: perhaps it needed more memory than the account has.'
    : `was ended by ${signal ?? 'an error at its start'}.`;
}
