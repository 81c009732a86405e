import { listAccounts } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, printPage } from '../../innctl.ts';
import { wholeNumberBetween } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  page: number;
  perPage: number;
}

export function accountListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('list hosting accounts, oldest first')
    .option('--page <n>', 'page to show', wholeNumberBetween(1, 1_000_000_000), 1)
    .option('--per-page <n>', 'accounts per page, up to 1000', wholeNumberBetween(1, 1_000), 100)
    .option('--json', 'print the accounts of the page and the total as JSON')
    .action(async (options: Options) => {
      const { page, perPage: per_page } = options;
      const list = await withServices(innctl, (ctx) => listAccounts(ctx, { page, per_page }));
      printPage(innctl.terminal, options, list, [
        { title: 'ID', value: (account) => account.id },
        { title: 'USERNAME', value: (account) => account.username },
        { title: 'STATUS', value: (account) => account.status },
        { title: 'PACKAGE', value: (account) => account.package.name },
        { title: 'NODE', value: (account) => account.node?.name },
        { title: 'PRIMARY DOMAIN', value: (account) => account.primary_domain },
        { title: 'CREATED', value: (account) => account.created_at },
      ]);
    });
}
