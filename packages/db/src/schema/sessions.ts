import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

/** How a browser was signed in; `operator`: by an operator who logged in as the customer. */
export type SessionMethod = 'login-link' | 'operator' | 'password';

/** A browser that is signed in to the panel. */
export interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of the cookie's value. */
  token_hash: Buffer;
  user_id: number;
  method: SessionMethod;
  address: string;
  user_agent: string;
  created_at: ColumnType<Date, Date, never>;
  last_seen_at: Date;
  expires_at: Date;
  /** When a password or code was last given in it; null: never, as with a login link. */
  proved_at: NullByDefault<Date>;
}

/** Each signs in once in place of a TOTP code. */
export interface RecoveryCodesTable {
  id: Generated<number>;
  user_id: number;
  code_hash: Buffer;
  used_at: Date | null;
  created_at: ColumnType<Date, Date, never>;
}
