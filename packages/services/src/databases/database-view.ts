import type { DatabaseListItem, DatabaseView } from '@innkeeper/contract';
import type { DatabaseDetails } from '@innkeeper/db';

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
