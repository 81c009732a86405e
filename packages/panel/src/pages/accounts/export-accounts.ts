import { isStaffRole } from '@innkeeper/domain';
import { type AccountListItem, exportAccounts, type OperatorContext } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { sendCsv } from '../../http/csv.ts';
import { operatorContext } from '../../http/session.ts';
import { readQuery, searchOf } from './accounts-query.ts';

export const EXPORT_PATH = '/accounts/export.csv';

/** The accounts of the list with the same filters as CSV. Columns have the names of the REST API. */
export function exportAccountsAsCsv(c: PanelContext): Response {
  const ctx = operatorContext(c);
  const columns = isStaffRole(ctx.actor.role) ? [...COLUMNS, 'node'] : COLUMNS;
  return sendCsv(c, { file: 'accounts.csv', columns, parts: partsOf(ctx, searchOf(readQuery(c))) });
}

async function* partsOf(ctx: OperatorContext, search: ReturnType<typeof searchOf>) {
  if (search === undefined) return;
  for await (const accounts of exportAccounts(ctx, search)) yield accounts.map(rowOf);
}

const COLUMNS = ['id', 'username', 'email', 'status', 'package', 'primary_domain', 'created_at'];

function rowOf({ id, username, email, status, primary_domain, created_at, ...account }: AccountListItem) {
  return {
    id,
    username,
    email,
    status,
    package: account.package.name,
    primary_domain,
    created_at: created_at.toISOString(),
    node: account.node?.name,
  };
}
