import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

export interface ApiTokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  purpose: string;
  preset: string;
  /** JSON array of abilities. `["*"]` means all, `[]` none. */
  abilities: string;
  /** JSON array of addresses and CIDR ranges. `[]` means any. */
  allowed_ips: string;
  /** SHA-256 of the plain token. */
  token_hash: Buffer;
  last_used_at: Date | null;
  last_used_ip: string | null;
  revoked_at: Date | null;
  /** Since then the token does not work. Null: it has no end. */
  expires_at: NullByDefault<Date>;
  created_at: ColumnType<Date, Date, never>;
}
