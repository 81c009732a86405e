import { timingSafeEqual } from 'node:crypto';
import { type Database, findLiveToken } from '@innkeeper/db';
import { type Ability, isApiToken, type StaffRole } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { hashSecret } from '../secrets/random-secrets.ts';

/** User, abilities and allowed IP addresses of a token. */
export interface TokenIdentity {
  user: { id: number; username: string; role: StaffRole | 'reseller' };
  token: { id: number; name: string; purpose: string; preset: string; abilities: (Ability | '*')[] };
  /** Canonical addresses and CIDR ranges, for `allowlistAdmits`. Empty: any address. */
  allowedIps: string[];
}

/**
 * Returns the identity of a token. Null: it is malformed, unknown, revoked or expired, or its owner is disabled or a
 * customer. A malformed token costs no SQL statement, any other token one.
 */
export async function authenticateToken(
  db: Kysely<Database>,
  plainToken: string,
): Promise<TokenIdentity | null> {
  if (!isApiToken(plainToken)) return null;
  const hash = hashSecret(plainToken);
  const row = await findLiveToken(db, hash);
  if (row === undefined || !timingSafeEqual(row.token_hash, hash)) return null;
  if (row.role === 'user') return null;
  const { id, name, purpose, preset } = row;
  return {
    user: { id: row.user_id, username: row.username, role: row.role },
    token: { id, name, purpose, preset, abilities: JSON.parse(row.abilities) },
    allowedIps: JSON.parse(row.allowed_ips),
  };
}
