import { handOverAccount } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { type ManagerOptions, managerOf, withManagerOptions } from '../../manager-options.ts';
import { resolveAccount } from '../../resolve-account.ts';
import { withServices } from '../../with-services.ts';

export function accountHandOverCommand(innctl: Innctl): Command {
  return withManagerOptions(new Command('hand-over'))
    .description('give an account to a reseller, or to yourself')
    .argument('<account>', 'username, or id if no username has the same digits')
    .option('--json', 'print the account as JSON')
    .action(async (name: string, options: OutputOptions & ManagerOptions) => {
      const { to, assign_packages } = managerOf(options);
      const { view } = await withServices(innctl, async (ctx) =>
        handOverAccount(ctx, { account_id: await resolveAccount(ctx, name), to, assign_packages }),
      );
      print(
        innctl.terminal,
        options,
        view,
        to === null ? `No reseller manages ${view.username} now.` : `${to} manages ${view.username} now.`,
      );
    });
}
