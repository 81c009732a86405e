import type { Database } from '@innkeeper/db';
import { packageLimitsOf } from '@innkeeper/domain';
import { type AccountReport, type AccountSpec, accountSpecSchema } from '@innkeeper/protocol';
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
import { expect } from 'vitest';
import { contextOf, fresh, limits, nodeFacts, reportOf, rowsWhere, rowWhere, sealer } from './records.ts';

export const session_id = 'session-0123456789';
const GiB = 2 ** 30;

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
    now: new Date(),
    node_id: id,
    session_id,
    ...nodeFacts,
    memory_bytes: 64 * GiB,
    disk_bytes: 100_000 * GiB,
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
  const { id } = await createPackage(contextOf(db), {
    name: fresh('Package '),
    ...packageLimitsOf(limits),
    ...input,
  });
  return id;
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
    report: reportOf(accountId, { observed_generation: generation, ...says }),
    now: new Date(),
  });
}

export async function rowOf(db: Kysely<Database>, accountId: number) {
  return await rowWhere(db, 'accounts', { id: accountId });
}

export async function auditOf(db: Kysely<Database>, accountId: number): Promise<string[]> {
  return (await rowsWhere(db, 'audit_log', { account_id: accountId })).map(({ action }) => action);
}

/** Returns the actions on a target, like `node:1`, in their order. */
export async function auditOfTarget(db: Kysely<Database>, target: string): Promise<string[]> {
  return (await rowsWhere(db, 'audit_log', { target })).map(({ action }) => action);
}

/** Returns the spec that the account's node pulls. Expects that its agent's own schema takes it as it is. */
export async function specOf(db: Kysely<Database>, accountId: number): Promise<AccountSpec> {
  const { node_id } = await rowOf(db, accountId);
  const after_account_id = accountId - 1;
  const { accounts } = await pullAccounts(
    { db, sealer },
    { node_id, session_id, after_account_id, limit: 1, settings_generation: 1 },
  );
  const spec = accountSpecSchema.parse(accounts.find(({ account_id }) => account_id === accountId));
  expect([spec]).toEqual(accounts);
  return spec;
}
