import type { PanelUserInput } from '@innkeeper/services';
import type { Command } from 'commander';
import type { OutputOptions } from './innctl.ts';
import { readSecret, type Terminal } from './terminal.ts';

export interface PanelUserOptions extends OutputOptions {
  username: string;
  email: string;
  name?: string;
  passwordFile: string;
}

/** The options of a command that creates an admin or a reseller. */
export function withPanelUserOptions(command: Command): Command {
  return command
    .requiredOption('--username <name>', '3-16 letters a-z, digits, dashes and underscores')
    .requiredOption('--email <address>', 'email address (unique)')
    .option('--name <text>', 'display name (default: the username)')
    .requiredOption('--password-file <file>', 'file with the password, or - for standard input')
    .option('--json', 'print the user as JSON');
}

export async function readPanelUser(terminal: Terminal, options: PanelUserOptions): Promise<PanelUserInput> {
  const { username, email, name, passwordFile } = options;
  const password = await readSecret(terminal, passwordFile);
  return { username, email, password, ...(name === undefined ? {} : { name }) };
}
