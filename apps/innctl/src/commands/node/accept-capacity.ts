import { acceptNodeCapacity } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function nodeAcceptCapacityCommand(innctl: Innctl): Command {
  return new Command('accept-capacity')
    .description('accept the reported memory and disk of a hosting server and clear its capacity alarm')
    .argument('<name>', 'name or id of the node')
    .option('--json', 'print the node as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const node = await withServices(innctl, (ctx) => acceptNodeCapacity(ctx, { node: name }));
      print(innctl.terminal, options, node, `The reported capacity of node ${node.name} was accepted.`);
    });
}
