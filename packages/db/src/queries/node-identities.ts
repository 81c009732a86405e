import { type Kysely, sql, type Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { Database } from '../schema/index.ts';

/** The state that decides which identities of a node are valid. */
export interface NodeIdentityState {
  name: string;
  identity_epoch: number;
  certificate_used: number;
}

const columns = ['name', 'identity_epoch', 'certificate_used'] as const;

export async function findNodeIdentity(
  db: Kysely<Database>,
  nodeId: number,
): Promise<NodeIdentityState | undefined> {
  return (await findIdentity(db, { nodeId })).rows[0];
}

const findIdentity = compileOnce((db, { nodeId }: { nodeId: number }) =>
  db.selectFrom('nodes').select(columns).where('id', '=', nodeId).compile(),
);

export async function lockNodeIdentity(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<NodeIdentityState | undefined> {
  return trx.selectFrom('nodes').select(columns).where('id', '=', nodeId).forUpdate().executeTakeFirst();
}

/** Ends every identity of a node, and its session. */
export async function raiseIdentityEpoch(trx: Transaction<Database>, nodeId: number): Promise<void> {
  await trx
    .updateTable('nodes')
    .set({ identity_epoch: sql`identity_epoch + 1`, session_id: null })
    .where('id', '=', nodeId)
    .execute();
}

/** Counts a new certificate of a locked node and returns its epoch and number. */
export async function countCertificate(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<{ epoch: number; number: number }> {
  await trx
    .updateTable('nodes')
    .set({ certificates_issued: sql`certificates_issued + 1` })
    .where('id', '=', nodeId)
    .execute();
  return trx
    .selectFrom('nodes')
    .select(['identity_epoch as epoch', 'certificates_issued as number'])
    .where('id', '=', nodeId)
    .executeTakeFirstOrThrow();
}

/** Records that a certificate was used. Older ones of its node are no longer renewed. */
export async function noteCertificateUse(
  db: Kysely<Database>,
  nodeId: number,
  certificate: { epoch: number; number: number },
): Promise<void> {
  await db
    .updateTable('nodes')
    .set({ certificate_used: certificate.number })
    .where('id', '=', nodeId)
    .where('identity_epoch', '=', certificate.epoch)
    .where('certificate_used', '<', certificate.number)
    .execute();
}

/**
 * Records a NATS user of a node's identity. Returns false if the key belongs to another identity, because revoking that
 * identity would revoke this one too.
 */
export async function noteNatsUser(
  trx: Transaction<Database>,
  user: { public_key: string; node_id: number; identity_epoch: number; lifetimeSeconds: number },
): Promise<boolean> {
  const { lifetimeSeconds, ...key } = user;
  const expires_at = sql<Date>`now(6) + interval ${lifetimeSeconds} second`;
  const known = await trx
    .selectFrom('node_nats_users')
    .select(['node_id', 'identity_epoch'])
    .where('public_key', '=', user.public_key)
    .forUpdate()
    .executeTakeFirst();
  if (known === undefined) {
    await trx
      .insertInto('node_nats_users')
      .values({ ...key, expires_at })
      .execute();
    return true;
  }
  if (known.node_id !== user.node_id || known.identity_epoch !== user.identity_epoch) return false;
  await trx
    .updateTable('node_nats_users')
    .set({ expires_at })
    .where('public_key', '=', user.public_key)
    .execute();
  return true;
}

/** NATS users that have not expired, of ended identities and of removed nodes. */
export async function findRevokedNatsUsers(
  db: Kysely<Database>,
): Promise<{ publicKey: string; until: Date }[]> {
  return db
    .selectFrom('node_nats_users')
    .leftJoin('nodes', 'nodes.id', 'node_nats_users.node_id')
    .select(['node_nats_users.public_key as publicKey', 'node_nats_users.expires_at as until'])
    .where('node_nats_users.expires_at', '>', sql<Date>`now(6)`)
    .where((eb) =>
      eb.or([
        eb('nodes.id', 'is', null),
        eb('nodes.identity_epoch', '>', eb.ref('node_nats_users.identity_epoch')),
      ]),
    )
    .orderBy('node_nats_users.public_key')
    .execute();
}

/** Deletes up to `limit` expired NATS users. Returns how many. */
export async function deleteExpiredNatsUsers(db: Kysely<Database>, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('node_nats_users')
    .where('expires_at', '<', sql<Date>`now(6)`)
    .limit(limit)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
