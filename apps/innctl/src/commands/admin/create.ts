import { createAdmin } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, print } from '../../innctl.ts';
import { type PanelUserOptions, readPanelUser, withPanelUserOptions } from '../../panel-user-options.ts';
import { withServices } from '../../with-services.ts';

export function adminCreateCommand(innctl: Innctl): Command {
  return withPanelUserOptions(new Command('create'))
    .description('create an admin with full access')
    .action(async (options: PanelUserOptions) => {
      const input = await readPanelUser(innctl.terminal, options);
      const user = await withServices(innctl, (ctx) => createAdmin(ctx, input));
      print(innctl.terminal, options, user, `Admin ${user.username} was created (id ${user.id}).`);
    });
}
