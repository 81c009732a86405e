import { join } from 'node:path';
import { type ProgramResult, runProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';

/** Runs innctl with the settings of an installation. Any exit code is a result. */
export type Innctl = (args: readonly string[], options?: { input?: string }) => Promise<ProgramResult>;

export function createInnctl(state: StateDir): Innctl {
  const bin = join(state.path, 'bin');
  return async (args, options = {}) =>
    await runProgram(
      [join(bin, 'node'), join(bin, 'innctl.mjs'), '--config', join(state.path, 'api.conf'), ...args],
      { input: options.input, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' } },
    );
}

/** Runs innctl. Rejects with its error message unless it exits with 0. Returns its standard output. */
export async function requireInnctl(
  innctl: Innctl,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const result = await innctl(args, input === undefined ? {} : { input });
  if (result.exitCode !== 0) {
    const said = result.stderr.trim() || result.stdout.trim();
    throw new Error(`innctl ${args.join(' ')} ended with exit code ${result.exitCode}: ${said}`);
  }
  return result.stdout;
}

/** Like `requireInnctl`, for a command with `--json`: returns the parsed output. */
export async function readInnctl<T>(innctl: Innctl, args: readonly string[], input?: string): Promise<T> {
  return JSON.parse(await requireInnctl(innctl, [...args, '--json'], input)) as T;
}
