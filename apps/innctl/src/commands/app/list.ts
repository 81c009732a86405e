import { listApps } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, printPage } from '../../innctl.ts';
import { wholeNumberBetween } from '../../option-values.ts';
import { resolveAccount } from '../../resolve-account.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  account?: string;
  page: number;
  perPage: number;
}

export function appListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('list apps, oldest first')
    .option('--account <account>', 'username or id: only the apps of this account')
    .option('--page <n>', 'page to show', wholeNumberBetween(1, 1_000_000_000), 1)
    .option('--per-page <n>', 'apps per page, up to 1000', wholeNumberBetween(1, 1_000), 100)
    .option('--json', 'print the apps of the page and the total as JSON')
    .action(async ({ account, page, perPage: per_page, ...output }: Options) => {
      const list = await withServices(innctl, async (ctx) => {
        const hosting_account_id = account === undefined ? undefined : await resolveAccount(ctx, account);
        return await listApps(ctx, { hosting_account_id, page, per_page });
      });
      printPage(innctl.terminal, output, list, [
        { title: 'ID', value: (app) => app.id },
        { title: 'ACCOUNT', value: (app) => app.hosting_account_id },
        { title: 'NAME', value: (app) => app.name },
        { title: 'TEMPLATE', value: (app) => app.template_key },
        { title: 'STATUS', value: (app) => app.status },
        { title: 'DOMAIN', value: (app) => app.domain?.domain_name },
        { title: 'CREATED', value: (app) => app.created_at },
      ]);
    });
}
