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
    .description('revoke the identity of a compromised hosting server, with every copy of it')
    .argument('<name>', 'name of the node')
    .option('--confirm <name>', 'the name of the node again')
    .option('--json', 'print the node as JSON')
    .addHelpText(
      'after',
      `
The control plane also refuses the agent: the node still serves its accounts, but no account changes until the
node is enrolled again. NATS drops the old identity at once.`,
    )
    .action(async (name: string, options: RevokeOptions) => {
      if (options.confirm !== name)
        throw new UsageError(
          `This disconnects node "${name}" from the control plane until it is enrolled again. Its sites stay up, but until then you cannot change, suspend or remove any account on it. To confirm, add: --confirm ${name}`,
        );
      const { node, obstacle } = await withServices(innctl, async (ctx) => ({
        node: await revokeNode(ctx, { node: name }),
        obstacle: await tellNatsOfRevocations(innctl.config(), ctx.db),
      }));
      if (obstacle !== null)
        innctl.terminal.err(
          `NATS is not informed yet (${obstacle}). The API informs it within 15 s. The node service already refuses the identity.`,
        );
      print(
        innctl.terminal,
        options,
        node,
        `The identity of node ${node.name} was revoked. Next steps:
1. Reinstall the server, or make sure that the attacker has no access.
2. innctl node join-token ${node.name}
3. On the server: install.sh --re-enrol with that token
4. The attacker may know the secrets of its ${node.accounts} accounts: set new passwords for accounts and
   databases, and ask the owners to replace app variables and deploy keys.`,
      );
    });
}
