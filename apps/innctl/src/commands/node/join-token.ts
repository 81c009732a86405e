import { renewJoinToken } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { joinTokenSealer } from '../../join-token-sealer.ts';
import { withServices } from '../../with-services.ts';

export function nodeJoinTokenCommand(innctl: Innctl): Command {
  return new Command('join-token')
    .description('create a new join token for a node (the previous token stops working)')
    .argument('<name>', 'name or id of the node')
    .option('--json', 'print the token as JSON')
    .addHelpText(
      'after',
      `
Use this for a node that was not enrolled in time, was reinstalled, or was off for longer than the lifetime of
its certificate (24 hours). A running agent keeps its identity until an agent enrols with the token.`,
    )
    .action(async (name: string, options: OutputOptions) => {
      const seal = joinTokenSealer(innctl.config());
      const { node, secret, expires_at } = await withServices(innctl, (ctx) =>
        renewJoinToken(ctx, { node: name }),
      );
      const join_token = seal(node.name, secret);
      print(innctl.terminal, options, { ...node, join_token, join_token_expires_at: expires_at }, join_token);
    });
}
