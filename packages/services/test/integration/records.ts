import { randomBytes } from 'node:crypto';
import { addToCounts, type Database, inTransaction } from '@innkeeper/db';
import { type AccountLimits, type AccountState, linuxUserFor, uidForAccountId } from '@innkeeper/domain';
import {
  builtInAppTemplates,
  createSealer,
  noNameGuard,
  type Operator,
  type OperatorContext,
} from '@innkeeper/services';
import { type Kysely, sql, Transaction } from 'kysely';
import { expect, vi } from 'vitest';

const now = new Date('2026-11-21T00:00:00Z');

/** For the context of `innctl`, or of another actor. */
const keys = { currentId: 'test', keys: new Map([['test', randomBytes(32)]]) };
export const sealer = createSealer(() => keys);

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

/** Returns the error. If nothing was thrown, returns a plain value, so that expectations on it fail. */
export async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => ({ resolved: value }),
    (error) => error,
  );
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
