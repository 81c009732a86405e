import { type Database, findArchiveChunk, findWantedArchive } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { type NodeSession, requireNewestSession } from './node-session.ts';

/** Interval in ms between checks of the session while an archive is read. Reading stops if the session has ended. */
const RECHECK_MS = 1_000;

/**
 * Streams the archive of a release that one of the node's accounts wants, in order, with one chunk in memory. Throws
 * DomainError `not_found` for every other release and if the archive is deleted meanwhile, and like
 * `requireNewestSession`.
 */
export async function* readArchive(
  db: Kysely<Database>,
  input: NodeSession & { account_id: number; release_id: number },
): AsyncGenerator<Buffer, void, undefined> {
  await requireNewestSession(db, input);
  const bytes = await findWantedArchive(db, input);
  if (bytes === undefined) throw notFound(input.release_id);
  let sent = 0;
  let checkedAt = Date.now();
  for (let sequence = 0; sent < bytes; sequence++) {
    const chunk = await findArchiveChunk(db, input.release_id, sequence);
    if (chunk === undefined) throw notFound(input.release_id);
    if (Date.now() - checkedAt >= RECHECK_MS) {
      await requireNewestSession(db, input);
      checkedAt = Date.now();
    }
    sent += chunk.length;
    yield chunk;
  }
}

function notFound(releaseId: number): DomainError {
  return new DomainError('not_found', `This node has no archive of release ${releaseId} to fetch.`);
}
