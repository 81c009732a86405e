import { runInnctl } from '../src/program.ts';

export interface CommandResult {
  exitCode: number;
  out: string;
  err: string;
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects from it.
  json(): any;
}

/** Runs a command line in this process. */
export async function runCommand(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; stdin?: string } = {},
): Promise<CommandResult> {
  const lines = { out: [] as string[], err: [] as string[] };
  const exitCode = await runInnctl(
    args,
    {
      out: (text) => void lines.out.push(text),
      err: (text) => void lines.err.push(text),
      readStdin: async () => options.stdin ?? '',
    },
    options.env ?? {},
  );
  const out = lines.out.join('\n');
  return { exitCode, out, err: lines.err.join('\n'), json: () => JSON.parse(out) };
}
