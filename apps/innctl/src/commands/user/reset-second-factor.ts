import { resetSecondFactor } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function userResetSecondFactorCommand(innctl: Innctl): Command {
  return new Command('reset-second-factor')
    .description('turn off two-factor authentication of a user who lost it and sign the user out everywhere')
    .argument('<username>', 'admin, reseller or customer (verify the identity of the user first)')
    .option('--json', 'print the result as JSON')
    .action(async (username: string, options: OutputOptions) => {
      const done = await withServices(innctl, (ctx) => resetSecondFactor(ctx, { username }));
      print(
        innctl.terminal,
        options,
        done,
        `Two-factor authentication of ${done.username} is off, and the user was signed out everywhere.`,
      );
    });
}
