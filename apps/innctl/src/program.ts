import { Command } from 'commander';
import { initCommand } from './commands/init.ts';
import { DEFAULT_CONFIG_FILE, loadConfig } from './config.ts';
import { exitCodes, verdictOn } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

const epilogue = `
Settings come from the environment, then from ${DEFAULT_CONFIG_FILE} (KEY=value lines), and are the API's own:
  INNKEEPER_DATABASE_URL             mysql://user@host/database
  INNKEEPER_DATABASE_PASSWORD_FILE   file with the password, where the URL has none
  INNKEEPER_KEYS_DIR                 folder that "innctl init" made
  INNKEEPER_PUBLIC_HOST              host[,host...] that nodes reach; goes into join tokens
  INNKEEPER_NATS_URL                 tells API instances at once that a token was revoked

Exit codes:
  0  done
  1  refused or failed; the reason is on standard error
  2  the command was called wrongly
  3  the database cannot be reached

Secrets are read from a file or from standard input, never from the command line.`;

/** Runs one command line (without node and script); returns the exit code. */
export async function runInnctl(
  args: readonly string[],
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const program = new Command('innctl')
    .description('Sets up and runs an Innkeeper control plane.')
    .option('--config <file>', `settings file (default: ${DEFAULT_CONFIG_FILE})`)
    .addHelpText('after', epilogue);
  const innctl = {
    terminal,
    config: () => loadConfig(env, program.opts<{ config?: string }>().config),
  };
  program.addCommand(initCommand(innctl));
  speakThrough(program, terminal);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { exitCode, line } = verdictOn(error);
    if (line !== null) terminal.err(`innctl: ${line}`);
    return exitCode;
  }
}

/** Commander writes to the process and ends it unless every command is told otherwise. */
function speakThrough(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.err(text.replace(/\n$/, '')),
    })
    .showHelpAfterError('Add --help for how it is called.');
  for (const child of command.commands) speakThrough(child, terminal);
}
