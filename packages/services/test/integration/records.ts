import { randomBytes } from 'node:crypto';
import { addToCounts, type Database, inTransaction } from '@innkeeper/db';
import { type AccountLimits, type AccountState, linuxUserFor, uidForAccountId } from '@innkeeper/domain';
import type { AccountReport, NodeFacts } from '@innkeeper/protocol';
import {
  builtInAppTemplates,
  createSealer,
  noNameGuard,
  type Operator,
  type OperatorContext,
} from '@innkeeper/services';
import { cheapHashes, createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { type Kysely, type Selectable, sql, Transaction } from 'kysely';
import { afterAll, beforeAll, expect, vi } from 'vitest';

const now = new Date('2026-11-21T00:00:00Z');

let serial = 0;
/** Returns a name that is unique in the run. */
export const fresh = (prefix: string) => `${prefix}${++serial}`;

/** For the context of `innctl`, or of another actor. */
const keys = { currentId: 'test', keys: new Map([['test', randomBytes(32)]]) };
export const sealer = createSealer(() => keys);

/** For a test file: a database of its own, with all tables. */
export function ownDatabase(): Pick<TestDatabase, 'db' | 'url'> {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  return {
    get db() {
      return database.db;
    },
    get url() {
      return database.url;
    },
  };
}

/** Makes a context hash passwords as the API does. */
export const withRealHashes = <T extends OperatorContext>(ctx: T): T => ({
  ...ctx,
  passwordHashes: undefined,
});

export function contextOf(db: Kysely<Database>, actor: Partial<Operator> = {}): OperatorContext {
  return {
    db,
    actor: { userId: null, role: 'admin', tokenId: null, address: 'innctl', ...actor },
    requestId: 'test',
    now: () => new Date(),
    wakeNode: () => undefined,
    askNode: async () => undefined,
    refreshUsage: async () => false,
    sealer,
    appTemplates: builtInAppTemplates,
    names: noNameGuard,
    passwordHashes: cheapHashes,
  };
}

export const limits: AccountLimits = {
  disk_limit_mb: 1_000,
  bandwidth_limit_mb: 10_000,
  cpu_limit_percent: 100,
  ram_limit_mb: 512,
  io_read_mbps: null,
  io_write_mbps: null,
  iops: null,
  max_processes: 100,
  max_domains: 10,
  max_databases: 5,
  max_apps: 5,
  max_cron_jobs: 5,
};

export interface AccountRecord extends Partial<AccountLimits> {
  username: string;
  node_id: number;
  /** Default: 1, even if that package does not exist. */
  package_id?: number;
  state?: AccountState;
  generation?: number;
  observed_generation?: number;
  reseller_user_id?: number | null;
  first_applied_at?: Date;
  email?: string;
}

/** Inserts an account as its committed create leaves it, with its end user and name. Returns its id. */
export async function insertAccountRecord(db: Kysely<Database>, record: AccountRecord): Promise<number> {
  const { username, email = `${username}@example.com`, ...rest } = record;
  const user = await db
    .insertInto('users')
    .values({
      username,
      name: username,
      email,
      email_lower: email.toLowerCase(),
      role: 'user',
      password_hash: '-',
      created_at: now,
      updated_at: now,
    })
    .executeTakeFirstOrThrow();
  const user_id = Number(user.insertId);
  await db.insertInto('usernames').values({ username, user_id }).execute();
  const { insertId } = await db
    .insertInto('accounts')
    .values({
      ...limits,
      username,
      name: username,
      email,
      reseller_user_id: null,
      user_id,
      package_id: 1,
      uid: null,
      linux_user: linuxUserFor(username),
      state: 'active',
      terminal_access: 0,
      linux_password_hash: `$6$salt$${'a'.repeat(86)}`,
      generation: 1,
      observed_generation: 0,
      outcome: null,
      conditions: '[]',
      observed_at: null,
      created_at: now,
      updated_at: now,
      ...rest,
    })
    .executeTakeFirstOrThrow();
  const id = Number(insertId);
  await db
    .updateTable('accounts')
    .set({ uid: uidForAccountId(id) })
    .where('id', '=', id)
    .execute();
  const account = { ...limits, package_id: 1, reseller_user_id: null, ...record, id };
  const count = (trx: Transaction<Database>) => addToCounts(trx, account, 1);
  await (db instanceof Transaction ? count(db) : inTransaction(db, count));
  return id;
}

/** Inserts a domain. Returns its id. */
export async function insertDomainRecord(
  db: Kysely<Database>,
  record: { account_id: number; domain_name: string; is_primary?: boolean; state?: 'active' | 'removing' },
): Promise<number> {
  const { insertId } = await db
    .insertInto('domains')
    .values({
      reversed_name: record.domain_name.split('.').reverse().join('.'),
      is_primary: 0,
      state: 'active',
      status: 'pending',
      status_reason: null,
      created_at: now,
      updated_at: now,
      ...record,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** Inserts an app that runs, by default of the template `static`. Returns its id. */
export async function insertAppRecord(
  db: Kysely<Database>,
  record: { account_id: number; name?: string; template_key?: string; database_id?: number },
): Promise<number> {
  const { insertId } = await db
    .insertInto('apps')
    .values({
      name: 'App',
      template_key: 'static',
      status: 'running',
      created_at: now,
      updated_at: now,
      ...record,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** Inserts what the node of an account measured last, by default 1 of everything. */
export async function insertUsageRecord(
  db: Kysely<Database>,
  account_id: number,
  used: Partial<
    Record<'disk_used_mb' | 'bandwidth_used_mb' | 'cpu_used_percent' | 'ram_used_mb', number>
  > = {},
): Promise<void> {
  const figures = { disk_used_mb: 1, bandwidth_used_mb: 1, cpu_used_percent: 1, ram_used_mb: 1, ...used };
  await db
    .insertInto('usage_snapshots')
    .values({ account_id, ...figures, taken_at: new Date() })
    .execute();
}

/** Inserts a node that has enrolled and never connected. Returns its id. */
export async function insertNodeRecord(db: Kysely<Database>): Promise<number> {
  const node = { name: fresh('node'), address: '10.0.0.1', state: 'active', created_at: now } as const;
  const { insertId } = await db.insertInto('nodes').values(node).executeTakeFirstOrThrow();
  return Number(insertId);
}

/** What a node says of itself when its agent connects: 2 CPUs, 2 GiB of memory, 1 TiB of disk. */
export const nodeFacts: NodeFacts = {
  agent_version: '1.0.0',
  hostname: 'web1',
  cpu_count: 2,
  memory_bytes: 2 ** 31,
  disk_bytes: 2 ** 40,
  disk_quota: 'accounting-only',
  io_limits: false,
  reserved_usernames: [],
  ledger_incomplete: false,
  node_versions: [],
  php_version: null,
  time_zone: null,
  ssh_fingerprint: null,
  ftp_fingerprint: null,
};

/** A report that the first generation of an account is applied. */
export function reportOf(account_id: number, says: Partial<AccountReport> = {}): AccountReport {
  return {
    account_id,
    observed_generation: 1,
    outcome: 'applied',
    conditions: [],
    domains: [],
    databases: [],
    apps: [],
    driver_ms: {},
    ...says,
  };
}

type Row<T extends keyof Database> = Selectable<Database[T]>;

/** Returns the rows of a table in which these columns have these values, in the order of their ids. */
export async function rowsWhere<T extends keyof Database>(
  db: Kysely<Database>,
  table: T,
  columns: Partial<Row<T>> = {},
): Promise<Row<T>[]> {
  const equal = Object.entries(columns).map(([name, value]) => sql`${sql.id(name)} = ${value}`);
  const where = equal.length === 0 ? sql`` : sql`where ${sql.join(equal, sql` and `)}`;
  return (await sql<Row<T>>`select * from ${sql.table(table)} ${where} order by 1`.execute(db)).rows;
}

/** Returns the first of these rows. Throws if there is none. */
export async function rowWhere<T extends keyof Database>(
  db: Kysely<Database>,
  table: T,
  columns: Partial<Row<T>>,
): Promise<Row<T>> {
  const [row] = await rowsWhere(db, table, columns);
  if (row === undefined) throw new Error(`No row of ${table} has ${JSON.stringify(columns)}.`);
  return row;
}

/** Sets these columns of the rows of a table in which other columns have these values. */
export async function updateRows<T extends keyof Database>(
  db: Kysely<Database>,
  table: T,
  columns: Partial<Row<T>>,
  set: Partial<Row<T>>,
): Promise<void> {
  const equal = (values: object) =>
    Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(equal(set))}
    where ${sql.join(equal(columns), sql` and `)}`.execute(db);
}

/** Returns the same database with a counter of its statements. */
export function counting(db: Kysely<Database>): { db: Kysely<Database>; statements: () => number } {
  let statements = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1;
      return result;
    },
  });
  return { db: counted, statements: () => statements };
}

/** Returns a barrier: it opens once this many callers have reached it. Later calls pass. */
export function meetingPoint(visitors: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === visitors) resolve();
    return promise;
  };
}

/**
 * Waits until a transaction in this database waits for a lock of another one, or until `work` has ended. InnoDB returns
 * a stale list if it is queried more than ten times per second.
 */
export async function untilItWaitsForALock(db: Kysely<Database>, work: Promise<unknown>): Promise<void> {
  let over = false;
  const end = () => {
    over = true;
  };
  void work.then(end, end);
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select 1 from information_schema.innodb_trx
        join information_schema.processlist on processlist.id = innodb_trx.trx_mysql_thread_id
        where innodb_trx.trx_state = 'LOCK WAIT' and processlist.db = database()`.execute(db);
      expect(over || rows.length > 0).toBe(true);
    },
    { timeout: 15_000, interval: 250 },
  );
}
