import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

export interface PresentedJoinToken {
  id: number;
  node_id: number;
  node_name: string;
  used: number;
  /** By database time. */
  expired: number;
}

/** Replaces a node's join tokens with this one and returns its expiry. */
export async function replaceJoinToken(
  trx: Transaction<Database>,
  token: { node_id: number; token_hash: Buffer; lifetimeSeconds: number },
): Promise<Date> {
  const { node_id, token_hash, lifetimeSeconds } = token;
  await trx.deleteFrom('node_join_tokens').where('node_id', '=', node_id).execute();
  await trx
    .insertInto('node_join_tokens')
    .values({
      node_id,
      token_hash,
      expires_at: sql`now(6) + interval ${lifetimeSeconds} second`,
      used_at: null,
      created_at: sql`now(6)`,
    })
    .execute();
  const { expires_at } = await trx
    .selectFrom('node_join_tokens')
    .select('expires_at')
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** The token with this hash, without locking it. */
export async function findJoinToken(
  db: Kysely<Database>,
  tokenHash: Buffer,
): Promise<PresentedJoinToken | undefined> {
  return joinTokens(db, tokenHash).executeTakeFirst();
}

/** Locks the token with this hash. Of two concurrent uses, one waits until the other has finished. */
export async function lockJoinToken(
  trx: Transaction<Database>,
  tokenHash: Buffer,
): Promise<PresentedJoinToken | undefined> {
  return joinTokens(trx, tokenHash).forUpdate().executeTakeFirst();
}

function joinTokens(db: Kysely<Database>, tokenHash: Buffer) {
  return db
    .selectFrom('node_join_tokens')
    .innerJoin('nodes', 'nodes.id', 'node_join_tokens.node_id')
    .select(['node_join_tokens.id', 'node_join_tokens.node_id', 'nodes.name as node_name'])
    .select([
      sql<number>`node_join_tokens.used_at is not null`.as('used'),
      sql<number>`node_join_tokens.expires_at <= now(6)`.as('expired'),
    ])
    .where('node_join_tokens.token_hash', '=', tokenHash);
}

/** Marks the token as used and its node as enrolled. */
export async function spendJoinToken(trx: Transaction<Database>, token: PresentedJoinToken): Promise<void> {
  await trx
    .updateTable('node_join_tokens')
    .set({ used_at: sql`now(6)` })
    .where('id', '=', token.id)
    .execute();
  await trx.updateTable('nodes').set({ enrolled_at: sql`now(6)` }).where('id', '=', token.node_id).execute();
}
