import { type Kysely, sql } from 'kysely';
import type { Database, SignInFailureKind } from '../schema/index.ts';

export interface SignInFailures {
  kind: SignInFailureKind;
  address: string;
  tries: number;
  first_at: Date;
  last_at: Date;
}

/** Adds an attempt to those of the same kind from the same address. Takes the same time for unknown usernames. */
export async function noteSignInFailure(
  db: Kysely<Database>,
  { now, ...failure }: { username: string; kind: SignInFailureKind; address: string; now: Date },
): Promise<void> {
  await db
    .insertInto('sign_in_failures')
    .values({ ...failure, tries: 1, first_at: now, last_at: now })
    .onDuplicateKeyUpdate({ tries: sql`tries + 1`, last_at: now })
    .execute();
}

/** Ordered by their last attempt, newest first. */
export async function findSignInFailures(
  db: Kysely<Database>,
  { username, since, limit }: { username: string; since: Date; limit: number },
): Promise<SignInFailures[]> {
  return await db
    .selectFrom('sign_in_failures')
    .select(['kind', 'address', 'tries', 'first_at', 'last_at'])
    .where('username', '=', username)
    .where('last_at', '>', since)
    .orderBy('last_at', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Deletes up to `limit` failures that are no longer shown: those with the last attempt before `before`, and those of
 * unknown usernames with the last attempt before `unknownBefore`. Returns how many.
 */
export async function deleteOldSignInFailures(
  db: Kysely<Database>,
  { before, unknownBefore, limit }: { before: Date; unknownBefore: Date; limit: number },
): Promise<number> {
  const old = await db
    .selectFrom('sign_in_failures')
    .leftJoin('usernames', 'usernames.username', 'sign_in_failures.username')
    .select(['sign_in_failures.username', 'kind', 'address'])
    .where('last_at', '<=', unknownBefore)
    .where((eb) => eb.or([eb('last_at', '<=', before), eb('usernames.username', 'is', null)]))
    .limit(limit)
    .execute();
  for (const { username, kind, address } of old)
    await db
      .deleteFrom('sign_in_failures')
      .where('username', '=', username)
      .where('kind', '=', kind)
      .where('address', '=', address)
      .where('last_at', '<=', unknownBefore)
      .execute();
  return old.length;
}
