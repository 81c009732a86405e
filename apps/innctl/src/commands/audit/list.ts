import { type AuditItem, type AuditQuery, listAudit, type OperatorContext } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { pointInTime, wholeNumber, wholeNumberBetween } from '../../option-values.ts';
import { renderTable } from '../../output/table.ts';
import { resolveAccount } from '../../resolve-account.ts';
import { resolveUser } from '../../resolve-user.ts';
import { withServices } from '../../with-services.ts';
import { renderChange } from './render-change.ts';

interface Options extends OutputOptions {
  account?: string;
  user?: string;
  action?: string;
  since?: Date;
  before?: number;
  limit: number;
}

export function auditListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('show what was changed, by whom and from where, newest first')
    .option('--account <account>', 'only of this account: username, or the id once it is gone')
    .option('--user <username>', 'only what this user did')
    .option('--action <prefix>', 'only actions that start so: "account." or "account.suspend"')
    .option(
      '--since <time>',
      'only since then: 2026-11-21, a full ISO 8601 time, or 90m, 12h, 7d',
      pointInTime,
    )
    .option('--before <id>', 'only rows below this id: the next page', wholeNumber)
    .option('--limit <n>', 'rows to show, up to 1000', wholeNumberBetween(1, 1_000), 50)
    .option('--json', 'print the rows, with all their details, as JSON')
    .action(async (options: Options) => {
      const page = await withServices(innctl, async (ctx) => listAudit(ctx, await queryOf(ctx, options)));
      const more = page.next_before_id === null ? '' : `\nThere is more: --before ${page.next_before_id}`;
      print(innctl.terminal, options, page, render(page.items) + more);
    });
}

async function queryOf(
  ctx: OperatorContext,
  { account, user, action, since, before, limit }: Options,
): Promise<AuditQuery> {
  return {
    limit,
    action,
    since,
    before_id: before,
    account_id: account === undefined ? undefined : await resolveAccount(ctx, account),
    user_id: user === undefined ? undefined : await resolveUser(ctx, user),
  };
}

function render(items: readonly AuditItem[]): string {
  return renderTable(
    [
      { title: 'ID', value: (item) => item.id },
      { title: 'TIME', value: (item) => item.at },
      { title: 'USER', value: (item) => item.user && (item.user.username ?? `user:${item.user.id}`) },
      { title: 'TOKEN', value: (item) => item.token && (item.token.name ?? `token:${item.token.id}`) },
      { title: 'FROM', value: (item) => item.address },
      { title: 'ACTION', value: (item) => item.action },
      { title: 'TARGET', value: (item) => item.target },
      { title: 'ACCOUNT', value: (item) => item.account && (item.account.username ?? item.account.id) },
      { title: 'CHANGE', value: (item) => renderChange(item.details) },
    ],
    items,
  );
}
