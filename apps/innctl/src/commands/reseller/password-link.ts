import { makeResellerLink } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { withServices } from '../../with-services.ts';

export function resellerPasswordLinkCommand(innctl: Innctl): Command {
  return new Command('password-link')
    .description('make a link with which a reseller sets its password (shown only once)')
    .argument('<reseller>', 'username of the reseller')
    .option('--json', 'print the link as JSON')
    .action(async (reseller: string, options: OutputOptions) => {
      const publicUrl = innctl.config().publicUrl();
      const link = await withServices(innctl, (ctx) => makeResellerLink({ ...ctx, publicUrl }, { reseller }));
      print(innctl.terminal, options, link, link.url);
      if (!options.json) innctl.terminal.err(`The link works once, for ${link.hours} hours.`);
    });
}
