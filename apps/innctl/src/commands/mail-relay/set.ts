import { setMailRelay } from '@innkeeper/services';
import { Command, Option } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber } from '../../option-values.ts';
import { readSecret } from '../../terminal.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  username?: string;
  passwordFile?: string;
  senderDomain?: string;
  node?: string;
}

export function mailRelaySetCommand(innctl: Innctl): Command {
  return new Command('set')
    .description('set the mail server that takes the mail of hosting accounts')
    .requiredOption('--host <name>', 'host name; its certificate must be valid for it')
    .option('--port <n>', 'port', wholeNumber, 587)
    .addOption(
      new Option('--encryption <mode>', 'none is only possible without a username')
        .choices(['starttls', 'tls', 'none'])
        .default('starttls'),
    )
    .option('--username <name>', 'for a relay that wants a sign-in')
    .option(
      '--password-file <file>',
      'file with the password, or - for standard input (default: the stored one)',
    )
    .option(
      '--sender-domain <domain>',
      'domain of senders without one of the account (default: the host name of the server)',
    )
    .option('--node <name>', 'only for this server (default: for all that have no relay of their own)')
    .option('--json', 'print the result as JSON')
    .action(
      async ({ host, port, encryption, username, passwordFile, senderDomain, node, ...output }: Options) => {
        const password =
          passwordFile === undefined ? undefined : await readSecret(innctl.terminal, passwordFile);
        await withServices(innctl, (ctx) =>
          setMailRelay(ctx, {
            host,
            port,
            encryption,
            ...(username === undefined ? {} : { username }),
            ...(password === undefined ? {} : { relay_password: password }),
            ...(senderDomain === undefined ? {} : { sender_domain: senderDomain }),
            ...(node === undefined ? {} : { node }),
          }),
        );
        const of = node === undefined ? 'of the installation' : `of node ${node}`;
        print(
          innctl.terminal,
          output,
          { host, port, encryption },
          `The mail relay ${of} was set. Servers apply it within seconds.`,
        );
      },
    );
}
