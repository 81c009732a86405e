import type { AccountListItem } from '@innkeeper/contract';
import type { AccountListRow } from '@innkeeper/db';
import { isStaffRole } from '@innkeeper/domain';
import type { Operator } from '../context.ts';

export function accountListItem(actor: Operator, row: AccountListRow): AccountListItem {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    status: row.state,
    package: { id: row.package_id, name: row.package_name },
    primary_domain: row.primary_domain,
    created_at: row.created_at,
    ...(isStaffRole(actor.role) ? { node: { id: row.node_id, name: row.node_name } } : {}),
  };
}
