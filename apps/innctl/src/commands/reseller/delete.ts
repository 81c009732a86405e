import { deleteReseller } from '@innkeeper/services';
import { Command } from 'commander';
import { broadcastRevocations } from '../../broadcast-revocations.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  packagesTo?: string;
  deleteUnusedPackages?: true;
}

export function resellerDeleteCommand(innctl: Innctl): Command {
  return new Command('delete')
    .description('delete a reseller that has no account')
    .argument('<reseller>', 'username of the reseller')
    .option('--packages-to <username>', 'the reseller that gets its packages (default: yourself)')
    .option('--delete-unused-packages', 'delete its packages that no account has')
    .option('--json', 'print the result as JSON')
    .action(async (reseller: string, { packagesTo, deleteUnusedPackages, ...output }: Options) => {
      const { token_ids } = await withServices(innctl, (ctx) =>
        deleteReseller(ctx, {
          reseller,
          packages_to: packagesTo ?? null,
          unused_packages: deleteUnusedPackages === true ? 'delete' : 'keep',
        }),
      );
      await broadcastRevocations(innctl, token_ids);
      const result = { username: reseller, tokens_revoked: token_ids.length };
      print(innctl.terminal, output, result, `Reseller ${reseller} was deleted.`);
    });
}
