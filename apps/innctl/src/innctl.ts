import type { InnctlConfig } from './config.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets. Nothing is read or opened before a command asks for it. */
export interface Innctl {
  terminal: Terminal;
  config(): InnctlConfig;
}

export interface OutputOptions {
  json?: true;
}

/** Prints a command's result: for people, or with `--json` the value as one document. */
export function print(terminal: Terminal, options: OutputOptions, value: unknown, text: string): void {
  terminal.out(options.json ? JSON.stringify(value, null, 2) : text);
}
