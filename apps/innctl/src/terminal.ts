import { readFile } from 'node:fs/promises';
import { UsageError } from './exit-code.ts';

/** Output of a command, and standard input for secrets. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readStdin(): Promise<string>;
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  readStdin: async () => {
    let text = '';
    for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
    return text;
  },
};

/**
 * Reads a secret from a file, or from standard input for `-`, without the line end. Never from argv, because every user
 * of the machine can read that. Throws UsageError if the secret is empty or has more than one line.
 */
export async function readSecret(terminal: Terminal, file: string): Promise<string> {
  const text = file === '-' ? await terminal.readStdin() : await readSecretFile(file);
  const secret = text.replace(/\r?\n$/, '');
  const source = file === '-' ? 'Standard input' : file;
  if (secret === '') throw new UsageError(`${source} is empty. It must contain only the password.`);
  if (/[\r\n]/.test(secret))
    throw new UsageError(`${source} has more than one line. It must contain only the password.`);
  return secret;
}

async function readSecretFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `The password file ${file} is not readable (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
