import { spawn } from 'node:child_process';
import { GUEST_ENVIRONMENT, type ToGuest } from './guest-exec.ts';

/** Returns the command that enters the box `name` of `boxesDir`. */
export function attachToBox(boxesDir: string, name: string): ToGuest {
  return (argv, env) => {
    const variables = Object.entries(env).flatMap(([key, value]) => ['--set-var', `${key}=${value}`]);
    return ['lxc-attach', '-P', boxesDir, '-n', name, '--clear-env', ...variables, '--', ...argv];
  };
}

/** Attaches the terminal of this process to a command in the box. Returns its exit code. */
export async function attachTerminal(
  boxesDir: string,
  name: string,
  argv: readonly string[],
): Promise<number> {
  const env = { ...GUEST_ENVIRONMENT, TERM: process.env.TERM ?? 'dumb' };
  const [program, ...args] = attachToBox(boxesDir, name)(argv, env);
  const child = spawn(program!, args, { stdio: 'inherit' });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
