import { removeMailRelay } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  node?: string;
}

export function mailRelayRemoveCommand(innctl: Innctl): Command {
  return new Command('remove')
    .description('remove the mail relay: accounts on servers without another one send no mail')
    .option('--node <name>', 'that of this server, which then uses the relay of the installation')
    .option('--json', 'print the result as JSON')
    .action(async ({ node, ...output }: Options) => {
      await withServices(innctl, (ctx) => removeMailRelay(ctx, node === undefined ? {} : { node }));
      const of = node === undefined ? 'of the installation' : `of node ${node}`;
      print(innctl.terminal, output, { removed: true }, `The mail relay ${of} was removed.`);
    });
}
