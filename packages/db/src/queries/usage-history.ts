import { keptSiteDays, keptUsageSlots, type UsageStep, usageSlotOf } from '@innkeeper/domain';
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { AccountUsageTable, Database, ServerUsageTable, SiteUsageTable } from '../schema/index.ts';
import { type Scope, within } from './scope.ts';

/** The column `step`: minutes. */
const MINUTES: Readonly<Record<UsageStep, number>> = { sample: 5, hour: 60, day: 1_440 };
const STEPS = ['sample', 'hour', 'day'] as const satisfies UsageStep[];

type Measured<Table> = Omit<Selectable<Table>, 'step' | 'slot' | 'measured_s'>;

/** A part of what a node used in an interval of 5 minutes. */
export interface UsagePart {
  node_id: number;
  /** Start of the interval, Unix seconds. */
  slot: number;
  part: number;
  server: Omit<Measured<ServerUsageTable>, 'node_id'> | null;
  accounts: readonly Measured<AccountUsageTable>[];
  sites: readonly Measured<SiteUsageTable>[];
}

type Merge = 'add' | 'highest' | 'last';
const traffic = { sent_bytes: 'add', requests: 'add', errors: 'add' } as const;
const accountColumns: Record<string, Merge> = {
  cpu_ms: 'add',
  memory_mb: 'highest',
  disk_mb: 'last',
  ...traffic,
};
const serverColumns: Record<string, Merge> = {
  cpu_busy_ms: 'add',
  cpu_total_ms: 'add',
  memory_mb: 'highest',
  memory_total_mb: 'highest',
  disk_mb: 'last',
  disk_total_mb: 'last',
  load_percent: 'highest',
  accounts: 'last',
  running_accounts: 'highest',
  ...traffic,
};

/**
 * Stores a part of an interval, and adds it to its hour and its day. Returns false, and stores nothing, if that part is
 * stored already. A node is believed only about its own accounts and their sites; others are left out. Nine SQL
 * statements for a part with everything, whatever its size.
 */
export async function storeUsagePart(trx: Transaction<Database>, usage: UsagePart): Promise<boolean> {
  const { node_id, slot, part, server } = usage;
  const { numAffectedRows } =
    await sql`insert ignore into usage_parts (slot, node_id, part) values (${slot}, ${node_id}, ${part})`.execute(
      trx,
    );
  if (numAffectedRows !== 1n) return false;
  const accounts = await ofOwnAccounts(trx, node_id, usage.accounts);
  for (const step of STEPS) {
    await addUsage(trx, 'account_usage', { step, slot, key: 'account_id' }, accountColumns, accounts);
    const servers = server === null ? [] : [{ ...server, node_id }];
    await addUsage(trx, 'server_usage', { step, slot, key: 'node_id' }, serverColumns, servers);
  }
  const sites = await ofOwnSites(trx, node_id, usage.sites);
  await addUsage(
    trx,
    'site_usage',
    { step: null, slot: usageSlotOf('day', slot), key: 'domain_id' },
    traffic,
    sites,
  );
  return true;
}

async function addUsage(
  trx: Transaction<Database>,
  table: 'account_usage' | 'server_usage' | 'site_usage',
  { step, slot, key }: { step: UsageStep | null; slot: number; key: string },
  merges: Readonly<Record<string, Merge>>,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(merges);
  // A site has one row for each day, and no time that was measured.
  const front = step === null ? [slot] : [MINUTES[step], usageSlotOf(step, slot), 300];
  const columns = step === null ? ['slot', key] : ['step', 'slot', 'measured_s', key];
  // Numbers as text: a statement with 10,000 bound values costs more in the client than in the server.
  const values = rows.map((row) => {
    const own = row as Readonly<Record<string, number | null | undefined>>;
    return `(${[...front, own[key], ...names.map((name) => own[name])].map(numberText).join(',')})`;
  });
  const updates = [...(step === null ? [] : [['measured_s', 'add'] as const]), ...Object.entries(merges)].map(
    ([name, merge]) => `${name} = ${mergedBy(merge, name)}`,
  );
  await sql
    .raw(
      `insert into ${table} (${[...columns, ...names].join(', ')}) values ${values.join(',')}
      on duplicate key update ${updates.join(', ')}`,
    )
    .execute(trx);
}

/** The only values that become part of a statement's text. */
function numberText(value: number | null | undefined): string {
  if (value === null) return 'null';
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number.`);
  return String(value);
}

function mergedBy(merge: Merge, name: string): string {
  if (merge === 'add') return `${name} + values(${name})`;
  return merge === 'highest' ? `greatest(${name}, values(${name}))` : `coalesce(values(${name}), ${name})`;
}

async function ofOwnAccounts<T extends { account_id: number }>(
  trx: Transaction<Database>,
  nodeId: number,
  measured: readonly T[],
): Promise<T[]> {
  if (measured.length === 0) return [];
  const ids = measured.map(({ account_id }) => account_id);
  const { rows } = await sql<{ id: number }>`select id from accounts
    where id in (${listOf(ids)}) and node_id = ${nodeId}`.execute(trx);
  return chosen(measured, 'account_id', rows);
}

async function ofOwnSites<T extends { domain_id: number }>(
  trx: Transaction<Database>,
  nodeId: number,
  measured: readonly T[],
): Promise<T[]> {
  if (measured.length === 0) return [];
  const ids = measured.map(({ domain_id }) => domain_id);
  const { rows } = await sql<{ id: number }>`select domains.id from domains
    inner join accounts on accounts.id = domains.account_id
    where domains.id in (${listOf(ids)}) and accounts.node_id = ${nodeId}`.execute(trx);
  return chosen(measured, 'domain_id', rows);
}

/** The rows with these ids, each once and in the order of the ids, so that two transactions lock in one order. */
function chosen<T>(measured: readonly T[], key: keyof T, ids: readonly { id: number }[]): T[] {
  const byId = new Map(measured.map((row) => [row[key], row]));
  const ordered = [...ids].sort((a, b) => a.id - b.id);
  return ordered.flatMap(({ id }) => byId.get(id as T[keyof T]) ?? []);
}

function listOf(numbers: readonly number[]): RawBuilder<unknown> {
  return sql.raw(numbers.map(numberText).join(','));
}

/** A row of the history of an account. All figures are null if nothing was measured in the slot. */
export type AccountUsageRow = { [C in keyof Omit<AccountUsageTable, 'step' | 'account_id'>]: number | null };

/**
 * The usage of an account in these slots, in no order; undefined for an account outside the scope. One SQL statement
 * that reads one primary key for each slot.
 */
export async function findAccountUsage(
  db: Kysely<Database>,
  scope: Scope,
  { accountId, step, slots }: { accountId: number; step: UsageStep; slots: readonly number[] },
): Promise<AccountUsageRow[] | undefined> {
  let query = db
    .selectFrom('accounts')
    .leftJoin('account_usage as used', (join) =>
      join
        .onRef('used.account_id', '=', 'accounts.id')
        .on('used.step', '=', sql.lit(MINUTES[step]))
        .on(sql<boolean>`used.slot in (${listOf(slots)})`),
    )
    .select(['used.slot', 'used.measured_s', 'used.cpu_ms', 'used.memory_mb', 'used.disk_mb'])
    .select(['used.sent_bytes', 'used.requests', 'used.errors'])
    .where('accounts.id', '=', accountId);
  if (scope !== 'all') query = query.where(...within(scope));
  const rows = await query.execute();
  if (rows.length === 0) return undefined;
  return rows.filter(({ slot }) => slot !== null);
}

export type ServerUsageRow = Omit<Selectable<ServerUsageTable>, 'step'>;

/** The usage of servers in these slots. One SQL statement that reads one primary key for each slot and server. */
export async function findServerUsage(
  db: Kysely<Database>,
  { nodeIds, step, slots }: { nodeIds: readonly number[]; step: UsageStep; slots: readonly number[] },
): Promise<ServerUsageRow[]> {
  if (nodeIds.length === 0 || slots.length === 0) return [];
  return db
    .selectFrom('server_usage')
    .selectAll()
    .where('step', '=', sql.lit(MINUTES[step]))
    .where(sql<boolean>`slot in (${listOf(slots)})`)
    .where(sql<boolean>`node_id in (${listOf(nodeIds)})`)
    .execute();
}

/** The sums of all servers in each of these slots. */
export interface FleetUsageRow {
  slot: number;
  measured_s: number;
  requests: number;
  errors: number;
  accounts: number;
}

/** One SQL statement that reads the slots of all servers. */
export async function findFleetUsage(
  db: Kysely<Database>,
  { step, slots }: { step: UsageStep; slots: readonly number[] },
): Promise<FleetUsageRow[]> {
  const { rows } = await sql<FleetUsageRow>`select slot, max(measured_s) as measured_s,
      cast(sum(requests) as unsigned) as requests, cast(sum(errors) as unsigned) as errors,
      cast(sum(accounts) as unsigned) as accounts
    from server_usage where step = ${sql.lit(MINUTES[step])} and slot in (${listOf(slots)}) group by slot`.execute(
    db,
  );
  return rows;
}

/**
 * The traffic of a site in these days; undefined for a site outside the scope. Names that show the site of another
 * domain have traffic of their own.
 */
export async function findSiteUsage(
  db: Kysely<Database>,
  scope: Scope,
  { domainId, days }: { domainId: number; days: readonly number[] },
): Promise<{ slot: number; sent_bytes: number; requests: number; errors: number }[] | undefined> {
  let query = db
    .selectFrom('domains')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .leftJoin('site_usage as used', (join) =>
      join.onRef('used.domain_id', '=', 'domains.id').on(sql<boolean>`used.slot in (${listOf(days)})`),
    )
    .select(['used.slot', 'used.sent_bytes', 'used.requests', 'used.errors'])
    .where('domains.id', '=', domainId);
  if (scope !== 'all') query = query.where(...within(scope));
  const rows = await query.execute();
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ slot, sent_bytes, requests, errors }) =>
    slot === null
      ? []
      : [{ slot, sent_bytes: sent_bytes ?? 0, requests: requests ?? 0, errors: errors ?? 0 }],
  );
}

/** Deletes the oldest rows of a step before a slot. Returns how many. */
export async function deleteUsageBefore(
  db: Kysely<Database>,
  table: 'account_usage' | 'server_usage',
  { step, slot, limit }: { step: UsageStep; slot: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)}
    where step = ${sql.lit(MINUTES[step])} and slot < ${slot} order by step, slot limit ${sql.lit(limit)}`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** Deletes the oldest days of sites, or stored parts, before a slot. Returns how many. */
export async function deleteSlotsBefore(
  db: Kysely<Database>,
  table: 'site_usage' | 'usage_parts',
  { slot, limit }: { slot: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)}
    where slot < ${slot} order by slot limit ${sql.lit(limit)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes the history of an account, by the keys of all rows that it can have. */
export async function deleteAccountUsage(
  trx: Transaction<Database>,
  accountId: number,
  now: Date,
): Promise<void> {
  for (const step of STEPS)
    await sql`delete from account_usage where ${keptOf(step, now)} and account_id = ${accountId}`.execute(
      trx,
    );
}

/** Deletes the history of a server, by the keys of all rows that it can have. */
export async function deleteServerUsage(
  trx: Transaction<Database>,
  nodeId: number,
  now: Date,
): Promise<void> {
  for (const step of STEPS)
    await sql`delete from server_usage where ${keptOf(step, now)} and node_id = ${nodeId}`.execute(trx);
}

function keptOf(step: UsageStep, now: Date): RawBuilder<unknown> {
  return sql`step = ${sql.lit(MINUTES[step])} and slot in (${listOf(keptUsageSlots(step, now))})`;
}

/** Deletes the traffic of sites, by the keys of all rows that they can have. */
export async function deleteSiteUsage(
  trx: Transaction<Database>,
  domainIds: readonly number[],
  now: Date,
): Promise<void> {
  if (domainIds.length === 0) return;
  await sql`delete from site_usage where slot in (${listOf(keptSiteDays(now))})
    and domain_id in (${listOf(domainIds)})`.execute(trx);
}

type UsageOwner = 'accounts' | 'nodes' | 'domains';
const usageOf = {
  accounts: { table: 'account_usage', key: 'account_id' },
  nodes: { table: 'server_usage', key: 'node_id' },
  domains: { table: 'site_usage', key: 'domain_id' },
} as const;

/**
 * Ids of removed accounts, servers or domains that have a row in these days: a part of an interval was stored at the
 * moment of their removal. One SQL statement that reads the rows of these days and locks nothing.
 */
export async function findUsageOrphans(
  db: Kysely<Database>,
  owner: UsageOwner,
  { days, limit }: { days: readonly number[]; limit: number },
): Promise<number[]> {
  const { table, key } = usageOf[owner];
  const ofDays = owner === 'domains' ? sql`` : sql`used.step = ${sql.lit(MINUTES.day)} and `;
  const { rows } = await sql<{ id: number }>`select distinct used.${sql.ref(key)} as id
    from ${sql.table(table)} as used left join ${sql.table(owner)} as owner on owner.id = used.${sql.ref(key)}
    where ${ofDays}used.slot in (${listOf(days)}) and owner.id is null limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ id }) => id);
}
