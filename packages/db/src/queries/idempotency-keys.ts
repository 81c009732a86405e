import { type Kysely, sql, type Transaction } from 'kysely';
import { retryGivenUp } from '../retry-given-up.ts';
import type { Database } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';

const SECONDS_KEPT = 24 * 3600;

const inSeconds = (seconds: number) => sql<Date>`now(6) + interval ${seconds} second`;

/** A key and the request that holds it. A request changes a key only while it is the holder. */
export interface HeldKey {
  token_id: number;
  key_hash: Buffer;
  /** Unique id of the request. */
  claimed_by: string;
}

export interface IdempotencyKeyRow {
  claimed_by: string;
  request: string;
  written: string | null;
  status: number | null;
  body: string | null;
  /** Whether the holder's lease has not expired. */
  is_leased: boolean;
  is_expired: boolean;
}

/** Returns false if the key exists already. */
export async function insertIdempotencyKey(
  db: Kysely<Database>,
  key: HeldKey & { request: string; leaseS: number },
): Promise<boolean> {
  const { leaseS, ...columns } = key;
  try {
    await retryGivenUp(() =>
      db
        .insertInto('idempotency_keys')
        .values({
          ...columns,
          leased_until: inSeconds(leaseS),
          written: null,
          status: null,
          body: null,
          created_at: sql<Date>`now(6)`,
          expires_at: inSeconds(SECONDS_KEPT),
        })
        .execute(),
    );
    return true;
  } catch (error) {
    if (isUniqueViolation(error, 'PRIMARY')) return false;
    throw error;
  }
}

export async function findIdempotencyKey(
  db: Kysely<Database>,
  { token_id, key_hash }: Omit<HeldKey, 'claimed_by'>,
): Promise<IdempotencyKeyRow | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['claimed_by', 'request', 'written', 'status', 'body'])
    .select(sql<number>`leased_until > now(6)`.as('is_leased'))
    .select(sql<number>`expires_at <= now(6)`.as('is_expired'))
    .where('token_id', '=', token_id)
    .where('key_hash', '=', key_hash)
    .executeTakeFirst();
  return row && { ...row, is_leased: row.is_leased === 1, is_expired: row.is_expired === 1 };
}

/**
 * Compare-and-swap: transfers a key whose lease has ended or that has expired to another request. Returns false if
 * another request was faster.
 */
export async function takeOverIdempotencyKey(
  db: Kysely<Database>,
  key: HeldKey & { from: string; request: string; written: string | null; leaseS: number },
): Promise<boolean> {
  const { token_id, key_hash, claimed_by, from, request, written, leaseS } = key;
  const { numUpdatedRows } = await retryGivenUp(() =>
    held(db, { token_id, key_hash, claimed_by: from })
      .set({
        claimed_by,
        request,
        written,
        status: null,
        body: null,
        leased_until: inSeconds(leaseS),
        created_at: sql<Date>`now(6)`,
        expires_at: inSeconds(SECONDS_KEPT),
      })
      .where((eb) =>
        eb.or([eb('leased_until', '<=', sql<Date>`now(6)`), eb('expires_at', '<=', sql<Date>`now(6)`)]),
      )
      .executeTakeFirst(),
  );
  return numUpdatedRows === 1n;
}

/** Renews the holder's lease. */
export async function renewIdempotencyKey(db: Kysely<Database>, key: HeldKey, leaseS: number): Promise<void> {
  await held(db, key)
    .set({ leased_until: inSeconds(leaseS) })
    .where('status', 'is', null)
    .execute();
}

/**
 * Stores the result of the holder's write, in the transaction of the write. Returns false if another request holds the
 * key.
 */
export async function storeKeyWritten(
  trx: Transaction<Database>,
  key: HeldKey,
  written: string,
): Promise<boolean> {
  const { numUpdatedRows } = await held(trx, key).set({ written }).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores the holder's response for `keptForS` seconds. */
export async function storeKeyAnswer(
  db: Kysely<Database>,
  key: HeldKey,
  answer: { status: number; body: string; keptForS: number },
): Promise<void> {
  const { status, body, keptForS } = answer;
  await retryGivenUp(() =>
    held(db, key)
      .set({
        status,
        body,
        written: null,
        leased_until: sql<Date>`now(6)`,
        expires_at: inSeconds(keptForS),
      })
      .execute(),
  );
}

/**
 * Releases the key. It is then free for any request. After a committed write it is free only for the same request, at
 * once.
 */
export async function releaseIdempotencyKey(db: Kysely<Database>, key: HeldKey): Promise<void> {
  const { numDeletedRows } = await removeHeld(db, key).where('written', 'is', null).executeTakeFirst();
  if (numDeletedRows === 0n) await held(db, key).set({ leased_until: sql<Date>`now(6)` }).execute();
}

export async function deleteIdempotencyKey(db: Kysely<Database>, key: HeldKey): Promise<void> {
  await removeHeld(db, key).execute();
}

/** Deletes up to `limit` expired keys. Returns how many. */
export async function deleteEndedIdempotencyKeys(db: Kysely<Database>, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('expires_at', '<=', sql<Date>`now(6)`)
    .orderBy('expires_at')
    .limit(limit)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function held(db: Kysely<Database>, { token_id, key_hash, claimed_by }: HeldKey) {
  return db
    .updateTable('idempotency_keys')
    .where('token_id', '=', token_id)
    .where('key_hash', '=', key_hash)
    .where('claimed_by', '=', claimed_by);
}

function removeHeld(db: Kysely<Database>, { token_id, key_hash, claimed_by }: HeldKey) {
  return db
    .deleteFrom('idempotency_keys')
    .where('token_id', '=', token_id)
    .where('key_hash', '=', key_hash)
    .where('claimed_by', '=', claimed_by);
}
