import { isStaffRole } from '@innkeeper/domain';
import { type AccountListItem, exportAccounts, type OperatorContext } from '@innkeeper/services';
import { stringify } from 'csv-stringify/sync';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { readQuery, searchOf } from './accounts-query.ts';

export const EXPORT_PATH = '/accounts/export.csv';

/**
 * The accounts of the list with the same filters as CSV (RFC 4180, UTF-8), sent while they are read. Columns have the
 * names of the REST API. Cells that a spreadsheet would run as a formula begin with an apostrophe. An error in the
 * middle breaks the connection, so that a part never looks complete.
 */
export function exportAccountsAsCsv(c: PanelContext): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8');
  c.header('Content-Disposition', 'attachment; filename="accounts.csv"');
  const parts = csvOf(operatorContext(c), searchOf(readQuery(c)));
  return c.body(ReadableStream.from(parts) as ReadableStream<Uint8Array>);
}

async function* csvOf(ctx: OperatorContext, search: ReturnType<typeof searchOf>): AsyncGenerator<Uint8Array> {
  const columns = isStaffRole(ctx.actor.role) ? [...COLUMNS, 'node'] : COLUMNS;
  const encode = (text: string) => new TextEncoder().encode(text);
  yield encode(stringify([columns], FORMAT));
  if (search === undefined) return;
  for await (const accounts of exportAccounts(ctx, search))
    if (accounts.length > 0) yield encode(stringify(accounts.map(rowOf), { ...FORMAT, columns }));
}

const COLUMNS = ['id', 'username', 'email', 'status', 'package', 'primary_domain', 'created_at'];
const FORMAT = { escape_formulas: true, record_delimiter: 'windows' } as const;

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
