import { type Kysely, sql } from 'kysely';
import type { Database, SignInFailureKind } from '../schema/index.ts';

export interface SignInFailures {
  kind: SignInFailureKind;
  address: string;
  tries: number;
  first_at: Date;
  last_at: Date;
}

/** Adds a try to those of the same kind from the same address. As quick for a name that nobody has. */
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

/** The newest first, by their last try. */
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
 * Removes up to `limit` that nobody looks at any more: those whose last try was before `before`, and those of names that
 * nobody has once it was before `unknownBefore`. Answers how many it removed.
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
