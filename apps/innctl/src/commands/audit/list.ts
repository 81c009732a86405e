import {
  type AuditItem,
  type AuditQuery,
  findFormerAccount,
  listAudit,
  type OperatorContext,
} from '@innkeeper/services';
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
    .description('list audit log entries, newest first: changes, users, addresses')
    .option('--account <account>', 'only entries of this account: username, also after its removal, or id')
    .option('--user <username>', 'only actions of this user')
    .option('--action <prefix>', 'only actions with this prefix: "account." or "account.suspend"')
    .option(
      '--since <time>',
      'only entries since this time: 2026-11-21, a full ISO 8601 time, or 90m, 12h, 7d',
      pointInTime,
    )
    .option('--before <id>', 'only entries with a smaller id (the next page)', wholeNumber)
    .option('--limit <n>', 'number of entries, up to 1000', wholeNumberBetween(1, 1_000), 50)
    .option('--json', 'print the entries with all details as JSON')
    .action(async (options: Options) => {
      const page = await withServices(innctl, async (ctx) => listAudit(ctx, await queryOf(ctx, options)));
      const more = page.next_before_id === null ? '' : `\nMore entries: --before ${page.next_before_id}`;
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
    account_id: account === undefined ? undefined : await accountId(ctx, account),
    user_id: user === undefined ? undefined : await resolveUser(ctx, user),
  };
}

async function accountId(ctx: OperatorContext, account: string): Promise<number> {
  try {
    return await resolveAccount(ctx, account);
  } catch (error) {
    const former = await findFormerAccount(ctx, { username: account });
    if (former === undefined) throw error;
    return former.id;
  }
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
