import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

/** How the browser signed in. `operator`: an operator logged in as the customer. */
export type SessionMethod = 'login-link' | 'operator' | 'password';

/** A signed-in browser of the panel. */
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
  /** When the user last entered a password or code in the session. Null: never, as with a login link. */
  proved_at: NullByDefault<Date>;
  /** The operator who is logged in as the customer. */
  operator_user_id: NullByDefault<number>;
  /** The operator's own session. This session ends with it. */
  operator_session_id: NullByDefault<number>;
}

/** Each code replaces a TOTP code for one sign-in. */
export interface RecoveryCodesTable {
  id: Generated<number>;
  user_id: number;
  code_hash: Buffer;
  used_at: Date | null;
  created_at: ColumnType<Date, Date, never>;
}
