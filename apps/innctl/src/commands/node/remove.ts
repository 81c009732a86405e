import { removeNode } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { tellNatsOfRevocations } from '../../nats-revocations.ts';
import { withServices } from '../../with-services.ts';

export function nodeRemoveCommand(innctl: Innctl): Command {
  return new Command('remove')
    .description('remove a hosting server without accounts (the control plane then refuses its agent)')
    .argument('<name>', 'name or id of the node')
    .option('--json', 'print the id and name of the node as JSON')
    .action(async (name: string, options: OutputOptions) => {
      const { node, obstacle } = await withServices(innctl, async (ctx) => ({
        node: await removeNode(ctx, { node: name }),
        obstacle: await tellNatsOfRevocations(innctl.config(), ctx.db),
      }));
      if (obstacle !== null)
        innctl.terminal.err(`NATS is not informed yet (${obstacle}). The API informs it within 15 s.`);
      print(innctl.terminal, options, node, `Node ${node.name} was removed.`);
    });
}
