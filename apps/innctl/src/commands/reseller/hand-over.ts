import { handOverAccounts } from '@innkeeper/services';
import { Command } from 'commander';
import { broadcastRevocations } from '../../broadcast-revocations.ts';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { type ManagerOptions, managerOf, withManagerOptions } from '../../manager-options.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions, ManagerOptions {
  thenDelete?: true;
  deleteUnusedPackages?: true;
}

export function resellerHandOverCommand(innctl: Innctl): Command {
  return withManagerOptions(new Command('hand-over'))
    .description('give all accounts of a reseller to another one, or to yourself, in the background')
    .argument('<reseller>', 'username of the reseller')
    .option('--then-delete', 'delete the reseller afterwards; it cannot sign in from now on')
    .option('--delete-unused-packages', 'with --then-delete: delete its packages that no account has')
    .option('--json', 'print the change as JSON')
    .action(async (reseller: string, options: Options) => {
      const unused_packages = options.deleteUnusedPackages === true ? 'delete' : 'keep';
      const begun = await withServices(innctl, (ctx) =>
        handOverAccounts(ctx, {
          reseller,
          ...managerOf(options),
          then_delete: options.thenDelete === true ? { unused_packages } : undefined,
        }),
      );
      await broadcastRevocations(innctl, begun.token_ids);
      print(
        innctl.terminal,
        options,
        begun,
        `The API hands over ${begun.total} accounts in the background: change ${begun.bulk_change_id}.`,
      );
    });
}
