import { acceptNodeCapacity } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function nodeAcceptCapacityCommand(innctl: Innctl): Command {
  return new Command('accept-capacity')
    .description('believe the memory and disk that a hosting server says it has now, and end its alarm')
    .argument('<name>', 'name or id of the node')
    .option('--json', 'print the node as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const node = await withServices(innctl, (ctx) => acceptNodeCapacity(ctx, { node: name }));
      print(innctl.terminal, options, node, `What node ${node.name} says of its capacity is accepted.`);
    });
}
