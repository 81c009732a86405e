import { type Database, findSessionByHash } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { hashSecret } from '../secrets/random-secrets.ts';
import { earlier, SESSION_IDLE_MS } from './session-lifetime.ts';

/** Explains to the user why the session of a cookie has ended. */
export async function tellSessionEnd(
  db: Kysely<Database>,
  { token, now }: { token: string; now: Date },
): Promise<string> {
  const row = await findSessionByHash(db, hashSecret(token));
  if (row?.account_state === 'suspended')
    return 'You were signed out because this account is suspended. Ask your provider why.';
  if (row?.account_state === 'terminating')
    return 'You were signed out because this account is being removed.';
  if (row !== undefined && row.last_seen_at <= earlier(now, SESSION_IDLE_MS))
    return 'You were signed out because this browser was not used for two hours.';
  return 'Your session has ended. Sign in again.';
}
