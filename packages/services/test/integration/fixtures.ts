import type { Database } from '@innkeeper/db';
import type { AccountReport } from '@innkeeper/protocol';
import {
  type AccountView,
  addNode,
  createAccount,
  createPackage,
  createReseller,
  type NewAccount,
  type OperatorContext,
  pullAccounts,
  registerSession,
  storeReport,
  type Written,
} from '@innkeeper/services';
import { type Kysely, sql } from 'kysely';
import { contextOf, limits, sealer } from './records.ts';

export const session_id = 'session-0123456789';
const GiB = 2 ** 30;

let serial = 0;
/** Returns a name that is unique in the run. */
export const fresh = (prefix: string) => `${prefix}${++serial}`;

/**
 * Adds a node that accepts accounts. `node_id`: starts another session of an existing node. Its memory, 64 GiB, is
 * scarcer than its disk.
 */
export async function addOnlineNode(
  db: Kysely<Database>,
  { node_id, ...facts }: { node_id?: number; memory_bytes?: number; reserved_usernames?: string[] } = {},
): Promise<number> {
  const id = node_id ?? (await addNode(contextOf(db), { name: fresh('web'), address: '10.0.0.1' })).node.id;
  await registerSession(db, {
    node_id: id,
    session_id,
    agent_version: '1.0.0',
    hostname: 'web',
    cpu_count: 8,
    memory_bytes: 64 * GiB,
    disk_bytes: 100_000 * GiB,
    disk_quota: 'accounting-only',
    io_limits: false,
    reserved_usernames: [],
    ledger_incomplete: false,
    node_versions: [],
    php_version: null,
    time_zone: null,
    ...facts,
  });
  // The node sends no heartbeats, so it stays online for as long as a test file may take.
  await sql`update nodes set last_seen_at = now(6) + interval 1 hour where id = ${id}`.execute(db);
  return id;
}

export interface Wake {
  nodeId: number;
  accountId: number;
  generation: number;
}

/** Returns an actor's context that records its wakes. */
export function actor(
  db: Kysely<Database>,
  who: Partial<OperatorContext['actor']> = {},
): OperatorContext & { wakes: Wake[] } {
  const wakes: Wake[] = [];
  return {
    ...contextOf(db, who),
    wakeNode: (nodeId, accountId, generation) => void wakes.push({ nodeId, accountId, generation }),
    wakes,
  };
}

export async function addReseller(
  db: Kysely<Database>,
): Promise<ReturnType<typeof actor> & { username: string; email: string }> {
  const username = fresh('reseller');
  const email = `${username}@resellers.example`;
  const user = await createReseller(contextOf(db), { username, email, password: 'correct horse' });
  return { ...actor(db, { userId: user.id, role: 'reseller' }), username, email };
}

/** Adds a package with `limits` as defaults. */
export async function addPackage(
  db: Kysely<Database>,
  input: Partial<Parameters<typeof createPackage>[1]> = {},
): Promise<number> {
  const { disk_limit_mb, bandwidth_limit_mb, cpu_limit_percent, ram_limit_mb, ...others } = limits;
  const sizes = {
    disk_mb: disk_limit_mb,
    bandwidth_mb: bandwidth_limit_mb,
    cpu_percent: cpu_limit_percent,
    ram_mb: ram_limit_mb,
  };
  return (await createPackage(contextOf(db), { name: fresh('Package '), ...sizes, ...others, ...input })).id;
}

/** The required limits of a create without a package. */
export const ownLimits = {
  package_id: null,
  disk_limit_mb: 500,
  bandwidth_limit_mb: 1_000,
  cpu_limit_percent: 50,
  ram_limit_mb: 256,
  max_domains: 3,
  max_databases: 2,
  max_apps: 1,
} as const;

export function open(
  ctx: OperatorContext,
  input: Partial<NewAccount> & { package_id: number | null },
): Promise<Written<AccountView>> {
  const username = fresh('tenant');
  const person = { username, name: 'A Tenant', email: `${username}@example.com`, password: 'correct horse' };
  return createAccount(ctx, { ...person, ...input } as NewAccount);
}

/** Reports the result of the newest generation, as the account's node. */
export async function reportNewest(
  db: Kysely<Database>,
  accountId: number,
  says: Partial<AccountReport> = {},
): ReturnType<typeof storeReport> {
  const { node_id, generation } = await rowOf(db, accountId);
  return await storeReport(db, {
    node_id,
    session_id,
    report: {
      account_id: accountId,
      observed_generation: generation,
      outcome: 'applied',
      conditions: [],
      domains: [],
      databases: [],
      apps: [],
      driver_ms: {},
      ...says,
    },
    now: new Date(),
  });
}

export async function rowOf(db: Kysely<Database>, accountId: number) {
  return await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
}

export async function auditOf(db: Kysely<Database>, accountId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('action')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.action);
}

export async function specOf(db: Kysely<Database>, accountId: number) {
  const { node_id } = await rowOf(db, accountId);
  const { accounts } = await pullAccounts(
    { db, sealer },
    {
      node_id,
      session_id,
      after_account_id: accountId - 1,
      limit: 1,
    },
  );
  return accounts.find((spec) => spec.account_id === accountId);
}
