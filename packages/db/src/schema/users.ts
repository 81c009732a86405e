import type { Role } from '@innkeeper/domain';
import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

/** Panel users: admins, resellers, and the end user of each account. */
export interface UsersTable {
  id: Generated<number>;
  /** The same as in `usernames`, whose primary key makes it unique. */
  username: string;
  name: string;
  email: string;
  /** The form of the address for comparisons. */
  email_lower: string;
  role: Role;
  /** argon2id in PHC string format. */
  password_hash: string;
  totp_sealed_secret: NullByDefault<string>;
  /** When TOTP was enabled. */
  totp_confirmed_at: NullByDefault<Date>;
  /** The newest time step whose code was used. No code is accepted twice. */
  totp_last_step: ColumnType<number, number | undefined, number>;
  /** When too many wrong codes locked TOTP. Since then only recovery codes are accepted. */
  totp_locked_at: NullByDefault<Date>;
  /** Since when a person of the staff cannot sign in. */
  disabled_at: NullByDefault<Date>;
  /** The name and email address are free again. The row stays for the names in the audit log. */
  removed_at: NullByDefault<Date>;
  /** When the newest link to set a first password was made. Null: the person has a password. */
  invited_at: NullByDefault<Date>;
  /** The language of the user's panel at the newest sign-in. Null: not known. */
  language: NullByDefault<string>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/**
 * Every name in use: one namespace for panel users and accounts, enforced by the primary key. An account and its end
 * user have the same name.
 */
export interface UsernamesTable {
  username: string;
  user_id: number;
}

/** Email addresses of admins and resellers. Each is unique among them and not used by any end user. */
export interface StaffEmailsTable {
  email_lower: string;
  user_id: number;
}
