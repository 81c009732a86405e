import { randomBytes } from 'node:crypto';
import { type Database, replaceJoinToken } from '@innkeeper/db';
import { invalidField } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { hashSecret } from '../secrets/random-secrets.ts';

/** Maximum lifetime of a join token in seconds. */
export const JOIN_SECRET_MAX_SECONDS = 3_600;

export interface JoinSecret {
  /** The secret in plain text. The database stores only its SHA-256. */
  secret: string;
  expires_at: Date;
}

/** Creates the node's only join secret and invalidates earlier ones. `lifetimeSeconds`: 1 to 3600. */
export async function issueJoinSecret(
  trx: Transaction<Database>,
  nodeId: number,
  lifetimeSeconds: number,
): Promise<JoinSecret> {
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > JOIN_SECRET_MAX_SECONDS)
    throw invalidField(
      'lifetime_seconds',
      `The lifetime seconds field must be between 1 and ${JOIN_SECRET_MAX_SECONDS}.`,
    );
  const secret = randomBytes(32).toString('base64url');
  const expires_at = await replaceJoinToken(trx, {
    node_id: nodeId,
    token_hash: hashSecret(secret),
    lifetimeSeconds,
  });
  return { secret, expires_at };
}
