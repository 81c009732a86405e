import type { ColumnType, Generated } from 'kysely';

/** Additional FTP and SFTP logins of accounts. */
export interface FtpLoginsTable {
  id: Generated<number>;
  account_id: number;
  /** `alice_web`: unique on all nodes. */
  name: string;
  /** Below the home. */
  folder: string;
  /** crypt(3) hash. Null: only keys may log in. */
  password_hash: string | null;
  /** One `type base64` a line; empty for none. */
  public_keys: string;
  created_at: ColumnType<Date, Date, never>;
  updated_at: Date;
}
