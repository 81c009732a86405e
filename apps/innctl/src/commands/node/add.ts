import { addNode } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { joinTokenSealer } from '../../join-token-sealer.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  address: string;
}

export function nodeAddCommand(innctl: Innctl): Command {
  return new Command('add')
    .description('add a hosting server and print the join token for its agent')
    .argument('<name>', 'name of the node: letters a-z, digits and dashes')
    .requiredOption('--address <address>', 'IP address or host name of its sites')
    .option('--json', 'print the node and its join token as JSON')
    .addHelpText(
      'after',
      `
The token works once, for 1 hour, and only for this node. On the hosting server:
  deploy/agent/install.sh --control HOST:PORT --join-token-file FILE`,
    )
    .action(async (name: string, { address, ...output }: Options) => {
      const seal = joinTokenSealer(innctl.config());
      const { node, secret, expires_at } = await withServices(innctl, (ctx) =>
        addNode(ctx, { name, address }),
      );
      const join_token = seal(node.name, secret);
      print(innctl.terminal, output, { ...node, join_token, join_token_expires_at: expires_at }, join_token);
      if (!output.json)
        innctl.terminal.err(
          `Node ${node.name} was added (id ${node.id}). Its join token works once, for 1 hour.`,
        );
    });
}
