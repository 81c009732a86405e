import {
  type Database,
  findPool,
  type HandedOver,
  lockReseller,
  sumAllocated,
  sumHandedOver,
} from '@innkeeper/db';
import { type AllocatedFromPool, type DomainError, invalidField, poolExcess } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import { getReseller } from './reseller.ts';

/** The manager that accounts get: a reseller, or null for the operator itself. */
export type NewManager = { id: number; username: string } | null;

/** The manager with this name. Throws `invalid` on the field `to`. */
export async function findNewManager(db: Kysely<Database>, to: string | null): Promise<NewManager> {
  return to === null ? null : await getReseller(db, to).catch(refuseName);
}

function refuseName(): never {
  throw refused('There is no such reseller.');
}

/** Throws `invalid` on the field `to` for a reseller that is suspended or deleted. The caller has locked it. */
export async function requireActive(trx: Transaction<Database>, to: NewManager): Promise<void> {
  if (to === null) return;
  const locked = await lockReseller(trx, to.id);
  if (locked === undefined) refuseName();
  if (locked.disabled_at !== null) throw refused(`${to.username} is suspended. Unsuspend it first.`);
}

/**
 * What the pool of the new manager refuses of the accounts, one sentence each. Exact only in a transaction that has
 * locked the reseller.
 */
export async function findExcess(
  db: Kysely<Database>,
  to: NewManager,
  handed: HandedOver,
): Promise<string[]> {
  const pool = to === null ? undefined : await findPool(db, to.id);
  if (to === null || pool === undefined) return [];
  const before = await sumAllocated(db, to.id);
  const after = sum(before, await sumHandedOver(db, handed));
  const excess = poolExcess({ ...pool, overselling: pool.overselling === 1 }, before, after);
  const { max_accounts } = pool;
  if (max_accounts !== null && after.accounts > max_accounts)
    excess.unshift(`accounts would be ${after.accounts}, the pool has ${max_accounts}`);
  return excess;
}

/** Throws `invalid` on the field `to` if the pool of the new manager has too little left. */
export async function requireRoom(
  trx: Transaction<Database>,
  to: NewManager,
  handed: HandedOver,
): Promise<void> {
  const excess = await findExcess(trx, to, handed);
  if (excess.length > 0) throw refused(`The pool of ${to?.username} is too small: ${excess.join('; ')}.`);
}

function sum(one: AllocatedFromPool, other: AllocatedFromPool): AllocatedFromPool {
  const fields = Object.keys(one) as (keyof AllocatedFromPool)[];
  return Object.fromEntries(fields.map((field) => [field, one[field] + other[field]])) as AllocatedFromPool;
}

function refused(sentence: string): DomainError {
  return invalidField('to', sentence);
}
