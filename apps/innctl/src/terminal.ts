import { readFile } from 'node:fs/promises';
import { UsageError } from './exit-code.ts';

/** Where a command writes, and where it reads a secret from. */
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
 * The secret in a file, or on standard input for `-`, without the line end. Never taken from argv, which
 * every user of the machine can read. Throws UsageError when it is empty or more than one line.
 */
export async function readSecret(terminal: Terminal, file: string): Promise<string> {
  const text = file === '-' ? await terminal.readStdin() : await readSecretFile(file);
  const secret = text.replace(/\r?\n$/, '');
  const source = file === '-' ? 'Standard input' : file;
  if (secret === '') throw new UsageError(`${source} is empty. It must hold the password and nothing else.`);
  if (/[\r\n]/.test(secret))
    throw new UsageError(`${source} has more than one line. It must hold the password alone.`);
  return secret;
}

async function readSecretFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `The password file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
