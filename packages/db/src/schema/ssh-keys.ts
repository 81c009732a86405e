import type { ColumnType, Generated } from 'kysely';

/** Public keys that may log in to an account. */
export interface SshKeysTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  /** `type base64` */
  public_key: string;
  /** SHA-256, as OpenSSH shows it: `SHA256:` and Base64. Once for each account. */
  fingerprint: string;
  created_at: ColumnType<Date, Date, never>;
}
