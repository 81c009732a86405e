import { cordonNode } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function nodeCordonCommand(innctl: Innctl): Command {
  return new Command('cordon')
    .description('stop placing new accounts on a hosting server (its accounts stay and are served)')
    .argument('<name>', 'name or id of the node')
    .option('--json', 'print the node as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const node = await withServices(innctl, (ctx) => cordonNode(ctx, { node: name }));
      print(innctl.terminal, options, node, `Node ${node.name} takes no new accounts.`);
    });
}
