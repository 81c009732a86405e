import { type Database, noteTokenUse } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/**
 * Notes when and from where a token was used, at most once a minute for each token. Does not wait: a failure
 * goes to `onError`, and the request goes on.
 */
export function touchToken(
  db: Kysely<Database>,
  use: { token_id: number; address: string },
  onError: (error: unknown) => void,
): void {
  noteTokenUse(db, use.token_id, use.address).catch(onError);
}
