import { type Database, noteTokenUse } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/**
 * Records when and from where a token was used, at most once per minute and token. Runs in the background: an error
 * goes to `onError`, and the request continues.
 */
export function touchToken(
  db: Kysely<Database>,
  use: { token_id: number; address: string },
  onError: (error: unknown) => void,
): void {
  noteTokenUse(db, use.token_id, use.address).catch(onError);
}
