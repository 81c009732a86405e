import type { AccountListRow } from '@innkeeper/db';
import type { AccountState } from '@innkeeper/domain';
import type { Operator } from '../context.ts';

/** An account as it appears in lists. */
export interface AccountListItem {
  id: number;
  username: string;
  email: string;
  status: AccountState;
  package: { id: number; name: string };
  primary_domain: string | null;
  created_at: Date;
  /** Only for admins. */
  node?: { id: number; name: string };
}

export function accountListItem(actor: Operator, row: AccountListRow): AccountListItem {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    status: row.state,
    package: { id: row.package_id, name: row.package_name },
    primary_domain: row.primary_domain,
    created_at: row.created_at,
    ...(actor.role === 'admin' ? { node: { id: row.node_id, name: row.node_name } } : {}),
  };
}
