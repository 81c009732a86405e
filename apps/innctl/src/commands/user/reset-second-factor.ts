import { resetSecondFactor } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function userResetSecondFactorCommand(innctl: Innctl): Command {
  return new Command('reset-second-factor')
    .description('end the two factor authentication of a user who lost it, and sign the user out everywhere')
    .argument('<username>', 'admin, reseller or customer; make sure that it is the user who asks')
    .option('--json', 'print what was done as JSON')
    .action(async (username: string, options: OutputOptions) => {
      const done = await withServices(innctl, (ctx) => resetSecondFactor(ctx, { username }));
      print(
        innctl.terminal,
        options,
        done,
        `${done.username} signs in with the password alone now, and was signed out everywhere.`,
      );
    });
}
