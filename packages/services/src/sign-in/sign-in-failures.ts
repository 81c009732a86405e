import {
  type Database,
  deleteOldSignInFailures,
  findSignInFailures,
  type SignInFailures,
} from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../panel-context.ts';
import { earlier } from '../sessions/session-lifetime.ts';

const KEPT_MS = 30 * 86_400_000;
/** Failures of unknown usernames are stored only so that storing takes the same time. */
const UNKNOWN_KEPT_MS = 3_600_000;
const LISTED = 20;

/** Failed sign-in attempts of the user in the last 30 days, by address, at most 20, newest first. */
export async function listSignInFailures(
  { db, now }: Pick<UserContext, 'db' | 'now'>,
  { username }: { username: string },
): Promise<SignInFailures[]> {
  return await findSignInFailures(db, { username, since: earlier(now(), KEPT_MS), limit: LISTED });
}

/** Deletes up to `limit` failures that are no longer listed. Returns how many. */
export async function sweepSignInFailures(
  db: Kysely<Database>,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const [before, unknownBefore] = [earlier(now, KEPT_MS), earlier(now, UNKNOWN_KEPT_MS)];
  return await deleteOldSignInFailures(db, { before, unknownBefore, limit });
}
