import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Database, MailRelaysTable } from '../schema/index.ts';

export type MailRelayRow = Selectable<MailRelaysTable>;

/** The `node_id` of the relay of the installation. */
export const OF_INSTALLATION = 0;

/** The relay of the server itself, or of the installation (`OF_INSTALLATION`). */
export async function findMailRelay(db: Kysely<Database>, nodeId: number): Promise<MailRelayRow | undefined> {
  return await db.selectFrom('mail_relays').selectAll().where('node_id', '=', nodeId).executeTakeFirst();
}

/** The relay that the accounts of a server use: its own, or that of the installation. */
export async function findRelayOfNode(
  db: Kysely<Database>,
  nodeId: number,
): Promise<MailRelayRow | undefined> {
  return await db
    .selectFrom('mail_relays')
    .selectAll()
    .where('node_id', 'in', [nodeId, OF_INSTALLATION])
    .orderBy('node_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The servers that have a relay of their own. */
export async function findNodesWithRelay(db: Kysely<Database>): Promise<number[]> {
  const rows = await db
    .selectFrom('mail_relays')
    .select('node_id')
    .where('node_id', '!=', OF_INSTALLATION)
    .execute();
  return rows.map(({ node_id }) => node_id);
}

export async function storeMailRelay(trx: Transaction<Database>, row: MailRelayRow): Promise<void> {
  const { node_id, ...relay } = row;
  await trx
    .insertInto('mail_relays')
    .values({ node_id, ...relay })
    .onDuplicateKeyUpdate(relay)
    .execute();
}

export async function deleteMailRelay(trx: Transaction<Database>, nodeId: number): Promise<void> {
  await trx.deleteFrom('mail_relays').where('node_id', '=', nodeId).execute();
}

/** Gives a server, or each of them (`OF_INSTALLATION`), its next generation of settings. Returns what to wake. */
export async function raiseSettings(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<{ id: number; settings_generation: number }[]> {
  let change = trx
    .updateTable('nodes')
    .set((eb) => ({ settings_generation: eb('settings_generation', '+', 1) }));
  let nodes = trx.selectFrom('nodes').select(['id', 'settings_generation']);
  if (nodeId !== OF_INSTALLATION) {
    change = change.where('id', '=', nodeId);
    nodes = nodes.where('id', '=', nodeId);
  }
  await change.execute();
  return await nodes.execute();
}
