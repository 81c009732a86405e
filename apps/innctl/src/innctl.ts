import type { InnctlConfig } from './config.ts';
import type { Terminal } from './terminal.ts';

/** Context of every command. It reads and opens nothing before a command needs it. */
export interface Innctl {
  terminal: Terminal;
  config(): InnctlConfig;
}

export interface OutputOptions {
  json?: true;
}

/** Prints the result of a command: as text, or with `--json` as one JSON document. */
export function print(terminal: Terminal, options: OutputOptions, value: unknown, text: string): void {
  terminal.out(options.json ? JSON.stringify(value, null, 2) : text);
}
