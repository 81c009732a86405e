import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

/** The mail server of the installation. One row, with the id 1, or none. */
export interface MailSettingsTable {
  id: number;
  host: string;
  port: number;
  /** `tls`: from the first byte. `starttls`: required before anything else. `none`: to loopback only. */
  encryption: 'tls' | 'starttls' | 'none';
  username: string | null;
  sealed_password: string | null;
  sender_name: string;
  sender_address: string;
  /** Whether accounts that the REST API creates get a welcome mail. */
  welcomes_api_accounts: number;
  updated_at: Date;
}

/** A mailed link that sets a password. Only hashes are stored. */
export interface PasswordLinksTable {
  /** SHA-256 of the token in the link. */
  token_hash: Buffer;
  user_id: number;
  /** SHA-256 of the user's password hash and email address when the link was made. */
  user_hash: Buffer;
  expires_at: Date;
  created_at: Date;
}

/** A mail that waits, or the outcome of one. The link in a mail is made when it is sent, and never stored. */
export interface OutboxMailsTable {
  id: Generated<number>;
  kind: 'test' | 'password-link' | 'welcome';
  /** What a visitor typed as its username, existing or not. */
  typed_name: NullByDefault<string>;
  user_id: NullByDefault<number>;
  /** The language of the page on which somebody asked for it. Null: that of its reader. */
  language: NullByDefault<string>;
  /** `dropped`: there was nobody to send it to. */
  state: 'waiting' | 'sent' | 'failed' | 'dropped';
  /** Counted before the attempt. */
  attempts: ColumnType<number, number | undefined, number>;
  /** When the mail is due, or when the lease of the instance that is sending it ends. */
  next_attempt_at: Date;
  expires_at: Date;
  outcome: NullByDefault<string>;
  created_at: ColumnType<Date, Date, never>;
}
