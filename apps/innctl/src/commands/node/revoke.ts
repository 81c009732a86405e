import { revokeNode } from '@innkeeper/services';
import { Command } from 'commander';
import { UsageError } from '../../exit-code.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { tellNatsOfRevocations } from '../../nats-revocations.ts';
import { withServices } from '../../with-services.ts';

interface RevokeOptions extends OutputOptions {
  confirm?: string;
}

export function nodeRevokeCommand(innctl: Innctl): Command {
  return new Command('revoke')
    .description('end the identity of a hosting server that was broken into; every copy of it is refused')
    .argument('<name>', 'name of the node')
    .option('--confirm <name>', 'the name of the node again')
    .option('--json', 'print the node as JSON')
    .addHelpText(
      'after',
      `
The agent is refused too: accounts of the node are served, but nothing of them changes until it is enrolled
again. NATS drops the old identity at once.`,
    )
    .action(async (name: string, options: RevokeOptions) => {
      if (options.confirm !== name)
        throw new UsageError(
          `This cuts node "${name}" off from the control plane until it is enrolled again. Its sites stay up, but no account on it can be changed, suspended or removed meanwhile. To do it, add: --confirm ${name}`,
        );
      const { node, obstacle } = await withServices(innctl, async (ctx) => ({
        node: await revokeNode(ctx, { node: name }),
        obstacle: await tellNatsOfRevocations(innctl.config(), ctx.db),
      }));
      if (obstacle !== null)
        innctl.terminal.err(
          `NATS was not told (${obstacle}); the API tells it within 15 seconds. The node service refuses the identity already.`,
        );
      print(
        innctl.terminal,
        options,
        node,
        `The identity of node ${node.name} is revoked. What to do next:
1. Set the server up anew, or make sure that nobody else is on it.
2. innctl node join-token ${node.name}
3. On the server: install.sh --re-enrol with that token
4. Whoever had the server may know the secrets of its ${node.accounts} accounts: set new passwords of accounts and
   databases, and have their owners replace app variables and deploy keys.`,
      );
    });
}
