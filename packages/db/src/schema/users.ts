import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

/** Panel users: admins, resellers, and the end user of each account. */
export interface UsersTable {
  id: Generated<number>;
  /** As in `usernames`, whose primary key makes it unique. */
  username: string;
  name: string;
  email: string;
  /** What addresses are compared by. */
  email_lower: string;
  role: 'admin' | 'reseller' | 'user';
  /** argon2id in PHC string format. */
  password_hash: string;
  totp_sealed_secret: NullByDefault<string>;
  /** TOTP is asked for from then on. */
  totp_confirmed_at: NullByDefault<Date>;
  /** The newest time step whose code was used: none is taken twice. */
  totp_last_step: ColumnType<number, number | undefined, number>;
  /** Too many wrong codes: only recovery codes are taken since then. */
  totp_locked_at: NullByDefault<Date>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/**
 * Every name in use: one namespace for panel users and accounts, held by its primary key. An account's
 * name is its end user's.
 */
export interface UsernamesTable {
  username: string;
  user_id: number;
}

/** Addresses of admins and resellers: each one's own, and no end user's. */
export interface StaffEmailsTable {
  email_lower: string;
  user_id: number;
}
