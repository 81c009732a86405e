import { createReseller } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, print } from '../../innctl.ts';
import { type PanelUserOptions, readPanelUser, withPanelUserOptions } from '../../panel-user-options.ts';
import { withServices } from '../../with-services.ts';

export function resellerCreateCommand(innctl: Innctl): Command {
  return withPanelUserOptions(new Command('create'))
    .description('create a reseller, who manages its own accounts')
    .action(async (options: PanelUserOptions) => {
      const input = await readPanelUser(innctl.terminal, options);
      const user = await withServices(innctl, (ctx) => createReseller(ctx, input));
      print(
        innctl.terminal,
        options,
        user,
        `Reseller ${user.username} was created (id ${user.id}). Set its pool with: innctl reseller pool ${user.username}`,
      );
    });
}
