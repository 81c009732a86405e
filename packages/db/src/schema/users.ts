import type { ColumnType, Generated } from 'kysely';

/** Panel users: admins, resellers, and the end user of each account. */
export interface UsersTable {
  id: Generated<number>;
  username: string;
  name: string;
  email: string;
  role: 'admin' | 'reseller' | 'user';
  /** argon2id in PHC string format. */
  password_hash: string;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** Every name in use, by a panel user or an account: one namespace, held by its primary key. */
export interface UsernamesTable {
  username: string;
  user_id: number | null;
  account_id: number | null;
}
