import { type Kysely, type Selectable, sql } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { AccountsTable, Database, DomainsTable } from '../schema/index.ts';

/** The column holds 65,535, and the pause ends to grow long before. */
const MOST_COUNTED = 1_000;

/** A domain whose DNS is to be looked up. */
export interface DueLook {
  id: number;
  domain_name: string;
  state: DomainsTable['state'];
  certificate_revision: number;
  dns_looks: number;
  account_state: AccountsTable['state'];
  /** Address of its server. */
  node_address: string;
}

const columns = [
  'domains.id',
  'domains.domain_name',
  'domains.state',
  'domains.certificate_revision',
  'domains.dns_looks',
  'accounts.state as account_state',
  'nodes.address as node_address',
] as const;

/**
 * Takes up to `limit` domains whose look is due, longest due first. No other instance gets them for `leaseS` seconds;
 * if this one ends before it stores the results, another one looks then.
 */
export async function claimDueLooks(
  db: Kysely<Database>,
  { limit, leaseS }: { limit: number; leaseS: number },
): Promise<DueLook[]> {
  const ids = await inTransaction(db, async (trx) => {
    const due = await trx
      .selectFrom('domains')
      .select('id')
      .where('dns_next_look_at', '<=', sql<Date>`now(6)`)
      .orderBy('dns_next_look_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    const claimed = due.map(({ id }) => id);
    if (claimed.length > 0)
      await trx
        .updateTable('domains')
        .set({ dns_next_look_at: sql<Date>`now(6) + interval ${leaseS} second` })
        .where('id', 'in', claimed)
        .execute();
    return claimed;
  });
  return ids.length === 0 ? [] : await findLooks(db, ids);
}

export async function findLooks(db: Kysely<Database>, ids: readonly number[]): Promise<DueLook[]> {
  return await db
    .selectFrom('domains')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .innerJoin('nodes', 'nodes.id', 'accounts.node_id')
    .select(columns)
    .where('domains.id', 'in', ids)
    .execute();
}

export interface LookResult {
  found: string | null;
  error: string | null;
  /** Number of looks so far, with this one. */
  looks: number;
  /** Until the next look. Null: there is no further one. */
  pauseS: number | null;
}

/** Stores the result of a look. It changes nothing that a server or a client of the API reads. */
export async function storeLook(
  db: Kysely<Database>,
  id: number,
  { found, error, looks, pauseS }: LookResult,
): Promise<void> {
  await db
    .updateTable('domains')
    .set({
      dns_looked_at: sql<Date>`now(6)`,
      dns_looks: Math.min(looks, MOST_COUNTED),
      dns_found: found,
      dns_error: error,
      dns_next_look_at: pauseS === null ? null : sql<Date>`now(6) + interval ${pauseS} second`,
    })
    .where('id', '=', id)
    .execute();
}

export type DnsLookColumns = Pick<
  Selectable<DomainsTable>,
  'dns_next_look_at' | 'dns_looked_at' | 'dns_found' | 'dns_error'
>;

/** The last look of a domain and the time of the next one. */
export async function findLastLook(db: Kysely<Database>, id: number): Promise<DnsLookColumns | undefined> {
  return await db
    .selectFrom('domains')
    .select(['dns_next_look_at', 'dns_looked_at', 'dns_found', 'dns_error'])
    .where('id', '=', id)
    .executeTakeFirst();
}
