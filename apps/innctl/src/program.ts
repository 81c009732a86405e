import { Command, Help } from 'commander';
import { accountHandOverCommand } from './commands/account/hand-over.ts';
import { accountListCommand } from './commands/account/list.ts';
import { accountShowCommand } from './commands/account/show.ts';
import { adminCreateCommand } from './commands/admin/create.ts';
import { appListCommand } from './commands/app/list.ts';
import { appLogCommand } from './commands/app/log.ts';
import { appRollbackCommand } from './commands/app/rollback.ts';
import { appShowCommand } from './commands/app/show.ts';
import { auditListCommand } from './commands/audit/list.ts';
import { auditPruneCommand } from './commands/audit/prune.ts';
import { initCommand } from './commands/init.ts';
import { mailRelayRemoveCommand } from './commands/mail-relay/remove.ts';
import { mailRelaySetCommand } from './commands/mail-relay/set.ts';
import { mailRelayShowCommand } from './commands/mail-relay/show.ts';
import { migrateCommand } from './commands/migrate.ts';
import { nodeAcceptCapacityCommand } from './commands/node/accept-capacity.ts';
import { nodeAddCommand } from './commands/node/add.ts';
import { nodeCordonCommand } from './commands/node/cordon.ts';
import { nodeJoinTokenCommand } from './commands/node/join-token.ts';
import { nodeListCommand } from './commands/node/list.ts';
import { nodeRemoveCommand } from './commands/node/remove.ts';
import { nodeRevokeCommand } from './commands/node/revoke.ts';
import { nodeSetCapacityCommand } from './commands/node/set-capacity.ts';
import { nodeShowCommand } from './commands/node/show.ts';
import { nodeUncordonCommand } from './commands/node/uncordon.ts';
import { packageAssignCommand } from './commands/package/assign.ts';
import { packageChangeCommand } from './commands/package/change.ts';
import { packageCreateCommand } from './commands/package/create.ts';
import { packageDeleteCommand } from './commands/package/delete.ts';
import { packageListCommand } from './commands/package/list.ts';
import { packageMailCommand } from './commands/package/mail.ts';
import { packageOfferCommand, packageRetireCommand } from './commands/package/retire.ts';
import { packageUpdateCommand } from './commands/package/update.ts';
import { resellerCreateCommand } from './commands/reseller/create.ts';
import { resellerDeleteCommand } from './commands/reseller/delete.ts';
import { resellerHandOverCommand } from './commands/reseller/hand-over.ts';
import { resellerListCommand } from './commands/reseller/list.ts';
import { resellerPasswordLinkCommand } from './commands/reseller/password-link.ts';
import { resellerPoolCommand } from './commands/reseller/pool.ts';
import { resellerSuspendCommand, resellerUnsuspendCommand } from './commands/reseller/suspend.ts';
import {
  staffDisableCommand,
  staffEnableCommand,
  staffRemoveCommand,
  staffSetRoleCommand,
} from './commands/staff/change.ts';
import { staffInviteCommand, staffLinkCommand } from './commands/staff/invite.ts';
import { staffListCommand } from './commands/staff/list.ts';
import { tokenCreateCommand } from './commands/token/create.ts';
import { tokenListCommand } from './commands/token/list.ts';
import { tokenRevokeCommand } from './commands/token/revoke.ts';
import { userResetSecondFactorCommand } from './commands/user/reset-second-factor.ts';
import { DEFAULT_CONFIG_FILE, loadConfig } from './config.ts';
import { exitCodes, verdictOn } from './exit-code.ts';
import type { Innctl } from './innctl.ts';
import type { Terminal } from './terminal.ts';

type MakeCommand = (innctl: Innctl) => Command;

interface Noun {
  about: string;
  verbs: readonly MakeCommand[];
  /** The default verb. */
  usual?: MakeCommand;
}

const verbs: readonly MakeCommand[] = [initCommand, migrateCommand];

const nouns: Readonly<Record<string, Noun>> = {
  admin: { about: 'users with full access', verbs: [adminCreateCommand] },
  user: {
    about: 'users of the panel: admins, resellers, customers',
    verbs: [userResetSecondFactorCommand],
  },
  staff: {
    about: 'people who run the installation, with their roles',
    verbs: [
      staffListCommand,
      staffInviteCommand,
      staffLinkCommand,
      staffSetRoleCommand,
      staffDisableCommand,
      staffEnableCommand,
      staffRemoveCommand,
    ],
  },
  token: { about: 'API tokens', verbs: [tokenCreateCommand, tokenListCommand, tokenRevokeCommand] },
  package: {
    about: 'sets of limits for accounts',
    verbs: [
      packageCreateCommand,
      packageListCommand,
      packageChangeCommand,
      packageUpdateCommand,
      packageMailCommand,
      packageAssignCommand,
      packageRetireCommand,
      packageOfferCommand,
      packageDeleteCommand,
    ],
  },
  reseller: {
    about: 'users who manage their own accounts',
    verbs: [
      resellerCreateCommand,
      resellerListCommand,
      resellerPoolCommand,
      resellerPasswordLinkCommand,
      resellerSuspendCommand,
      resellerUnsuspendCommand,
      resellerHandOverCommand,
      resellerDeleteCommand,
    ],
  },
  node: {
    about: 'hosting servers',
    verbs: [
      nodeAddCommand,
      nodeJoinTokenCommand,
      nodeListCommand,
      nodeShowCommand,
      nodeCordonCommand,
      nodeUncordonCommand,
      nodeSetCapacityCommand,
      nodeAcceptCapacityCommand,
      nodeRemoveCommand,
      nodeRevokeCommand,
    ],
  },
  'mail-relay': {
    about: 'the mail server that takes the mail of hosting accounts ("show" is the default)',
    verbs: [mailRelayShowCommand, mailRelaySetCommand, mailRelayRemoveCommand],
    usual: mailRelayShowCommand,
  },
  account: {
    about: 'hosting accounts (create and change them over the API)',
    verbs: [accountListCommand, accountShowCommand, accountHandOverCommand],
  },
  app: {
    about: 'apps of hosting accounts and their releases',
    verbs: [appListCommand, appShowCommand, appLogCommand, appRollbackCommand],
  },
  audit: {
    about: 'the audit log: changes, users and addresses ("list" is the default)',
    verbs: [auditListCommand, auditPruneCommand],
    usual: auditListCommand,
  },
};

const epilogue = `
To set up a new control plane: init, migrate, admin create, package create, token create, node add.

innctl reads the settings of the API from the environment, then from ${DEFAULT_CONFIG_FILE} (KEY=value lines):
  INNKEEPER_DATABASE_URL             mysql://user@host/database
  INNKEEPER_DATABASE_PASSWORD_FILE   file with the password, if the URL has none
  INNKEEPER_KEYS_DIR                 folder that "innctl init" created
  INNKEEPER_PUBLIC_HOST              host[,host...] where nodes reach the control plane; join tokens have the first one
  INNKEEPER_GRPC_ADDRESS             address:port of the node service; join tokens have the port
  INNKEEPER_PUBLIC_URL               URL of the panel, for links; default: the first public host
  INNKEEPER_NATS_URL                 URL of NATS, for questions to nodes and for token revocations

Exit codes:
  0  success
  1  refused or failed (the reason is on standard error)
  2  invalid command line
  3  the database, NATS or a hosting server is unreachable

innctl reads secrets from a file or from standard input, never from the command line.`;

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
  const innctl: Innctl = {
    terminal,
    config: () => loadConfig(env, program.opts<{ config?: string }>().config),
  };
  for (const make of verbs) program.addCommand(make(innctl));
  for (const [name, noun] of Object.entries(nouns)) {
    const command = program.command(name).description(noun.about);
    for (const make of noun.verbs) command.addCommand(make(innctl), { isDefault: make === noun.usual });
  }
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

const plainHelp = new Help();

/** By default commander writes to the process and ends it. This changes the default for every command. */
function speakThrough(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.err(text.replace(/\n$/, '')),
    })
    .configureHelp({
      optionDescription: (option) =>
        plainHelp.optionDescription(option) + (option.mandatory ? ' (required)' : ''),
    })
    .showHelpAfterError('Use --help for the usage.');
  for (const child of command.commands) speakThrough(child, terminal);
}
