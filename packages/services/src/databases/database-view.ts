import type { DatabaseDetails } from '@innkeeper/db';

export interface DatabaseListItem {
  id: number;
  hosting_account_id: number;
  /** Display label. */
  name: string;
  db_name: string;
  db_user: string;
  /**
   * Host name for the account's own apps. Remote clients with an allowed address use the names and addresses of the
   * account's hosting server.
   */
  db_host: string;
  /** `pending` until the first report of the node, `removing` until it is gone. */
  status: 'pending' | 'active' | 'suspended' | 'failed' | 'removing';
  status_reason: string | null;
  /** Null if there are none. */
  allowed_ips: string[] | null;
  created_at: Date;
  updated_at: Date;
}

export interface DatabaseView extends DatabaseListItem {
  hosting_account: { id: number; username: string };
}

export function databaseListItem(database: DatabaseDetails): DatabaseListItem {
  return {
    id: database.id,
    hosting_account_id: database.account_id,
    name: database.name,
    db_name: database.db_name,
    db_user: database.db_name,
    db_host: 'localhost',
    status: database.state === 'removing' ? 'removing' : database.status,
    status_reason: database.status_reason,
    allowed_ips: database.allowed_ips.length === 0 ? null : database.allowed_ips,
    created_at: database.created_at,
    updated_at: database.updated_at,
  };
}

export function databaseView(database: DatabaseDetails): DatabaseView {
  return {
    ...databaseListItem(database),
    hosting_account: { id: database.account_id, username: database.account_username },
  };
}
