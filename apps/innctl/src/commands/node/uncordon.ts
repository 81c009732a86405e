import { uncordonNode } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function nodeUncordonCommand(innctl: Innctl): Command {
  return new Command('uncordon')
    .description('resume placing new accounts on a hosting server')
    .argument('<name>', 'name or id of the node')
    .option('--json', 'print the node as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const node = await withServices(innctl, (ctx) => uncordonNode(ctx, { node: name }));
      print(innctl.terminal, options, node, `Node ${node.name} takes new accounts.`);
    });
}
