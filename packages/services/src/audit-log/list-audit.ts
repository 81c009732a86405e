import { type AuditFilter, type AuditRow, findAuditRows } from '@innkeeper/db';
import { isStaffRole } from '@innkeeper/domain';
import type { Actor, ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

export interface AuditItem {
  id: number;
  at: Date;
  /** Null: an operator with innctl, or a node. Then `address` identifies it. */
  user: { id: number; username: string | null } | null;
  /** The customer that `user`, an operator, was logged in as. */
  as_user: { id: number; username: string | null } | null;
  token: { id: number; name: string | null } | null;
  /** Address of the client, `innctl`, or `node:<id>`. Null if a reseller reads an entry of another user. */
  address: string | null;
  action: string;
  target: string;
  /** `exists`: false after the account is gone. The name is null if it was gone before names were kept. */
  account: { id: number; username: string | null; exists: boolean } | null;
  request_id: string;
  /** `before` and `after` of the changed fields, and more. A reseller and an end user get only these and names. */
  details: Readonly<Record<string, unknown>>;
}

export interface AuditQuery extends AuditFilter {
  /** 1 to 1000. */
  limit: number;
}

/**
 * Audit rows, newest first. Staff sees all rows. A reseller sees changes of its accounts and its own actions. An end
 * user sees changes of its account. `next_before_id` is the `before_id` of the next page; null if there is none.
 */
export async function listAudit(
  ctx: ServiceContext,
  { limit, ...filter }: AuditQuery,
): Promise<{ items: AuditItem[]; next_before_id: number | null }> {
  const rows = await findAuditRows(ctx.db, scopeOf(ctx.actor), filter, limit + 1);
  const items = rows.slice(0, limit).map((row) => itemFor(ctx.actor, row));
  return { items, next_before_id: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

function itemFor(actor: Actor, row: AuditRow): AuditItem {
  const { id, at, action, target, request_id } = row;
  const details = JSON.parse(row.details) as Record<string, unknown>;
  const item: AuditItem = {
    id,
    at,
    user: row.user_id === null ? null : { id: row.user_id, username: row.username },
    as_user: row.as_user_id === null ? null : { id: row.as_user_id, username: row.as_username },
    token: row.token_id === null ? null : { id: row.token_id, name: row.token_name },
    address: row.address,
    action,
    target,
    account:
      row.account_id === null
        ? null
        : { id: row.account_id, username: row.account_username, exists: Boolean(row.account_exists) },
    request_id,
    details,
  };
  return isStaffRole(actor.role) ? item : withoutInside(item, actor);
}

/** The changes, and the names of the targets. */
const publicDetails = [
  'before',
  'after',
  'replaced',
  'name',
  'domain_name',
  'db_name',
  'domains',
  'databases',
] as const;

/** Only staff sees the addresses of other users and the internal details from nodes. */
function withoutInside(item: AuditItem, actor: Actor): AuditItem {
  const shown = publicDetails.filter((field) => field in item.details);
  const details = Object.fromEntries(shown.map((field) => [field, item.details[field]]));
  return item.user?.id === actor.userId
    ? { ...item, details }
    : { ...item, details, token: null, address: null };
}
