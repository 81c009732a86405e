import type { TokenRow } from '@innkeeper/db';

/** A token, as shown to its owner and to operators, without the secret. */
export interface TokenView {
  id: number;
  user: { id: number; username: string; role: string };
  name: string;
  purpose: string;
  preset: string;
  abilities: string[];
  /** Canonical addresses and CIDR ranges. Empty: any address. */
  allowed_ips: string[];
  last_used_at: Date | null;
  last_used_ip: string | null;
  revoked_at: Date | null;
  /** Since then it does not work. Null: it has no end. */
  expires_at: Date | null;
  created_at: Date;
}

export function tokenView(row: TokenRow): TokenView {
  return {
    id: row.id,
    user: { id: row.user_id, username: row.username, role: row.role },
    name: row.name,
    purpose: row.purpose,
    preset: row.preset,
    abilities: JSON.parse(row.abilities),
    allowed_ips: JSON.parse(row.allowed_ips),
    last_used_at: row.last_used_at,
    last_used_ip: row.last_used_ip,
    revoked_at: row.revoked_at,
    expires_at: row.expires_at,
    created_at: row.created_at,
  };
}
