import { type AuditItem, type AuditQuery, listAudit, type OperatorContext } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { sendCsv } from '../../http/csv.ts';
import { goTo } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { filterOf, pathOf, readQuery } from './audit-query.ts';
import { auditTexts } from './texts/index.ts';

export const EXPORT_PATH = '/audit/export.csv';

const ENTRIES_IN_A_PART = 1_000;

/** The entries of the list with the same filters as CSV, newest first. Wrong filters lead to the page that shows them. */
export async function exportAuditAsCsv(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const filter = filterOf(c);
  const { query } = await readQuery(ctx, filter, textsFor(c, auditTexts));
  if (query === undefined) return goTo(c, pathOf('/audit', filter));
  return sendCsv(c, { file: 'audit.csv', columns: COLUMNS, parts: partsOf(ctx, query) });
}

async function* partsOf(ctx: OperatorContext, query: Omit<AuditQuery, 'limit'>) {
  for (let before: number | null | undefined; before !== null; ) {
    const part = await listAudit(ctx, { ...query, before_id: before, limit: ENTRIES_IN_A_PART });
    yield part.items.map(rowOf);
    before = part.next_before_id;
  }
}

const COLUMNS = [
  'id',
  'at',
  'user',
  'as_user',
  'token',
  'address',
  'action',
  'target',
  'account_id',
  'account',
  'request_id',
  'details',
];

function rowOf({ id, at, user, as_user, token, account, details, ...entry }: AuditItem) {
  return {
    id,
    at: at.toISOString(),
    user: user === null ? '' : (user.username ?? `user:${user.id}`),
    as_user: as_user === null ? '' : (as_user.username ?? `user:${as_user.id}`),
    token: token === null ? '' : (token.name ?? `token:${token.id}`),
    account_id: account?.id,
    account: account?.username,
    details: JSON.stringify(details),
    ...entry,
  };
}
