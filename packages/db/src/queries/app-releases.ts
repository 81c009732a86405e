import type { Commit } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { AppReleasesTable, Database, ReleaseArchiveChunksTable } from '../schema/index.ts';

/** Bytes of an archive per row and per gRPC message: 1 MiB. */
export const ARCHIVE_CHUNK_BYTES = 1024 * 1024;

/** Returns the new release's id. */
export async function insertRelease(
  db: Kysely<Database>,
  release: Insertable<AppReleasesTable>,
): Promise<number> {
  const { insertId } = await db.insertInto('app_releases').values(release).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function insertArchiveChunk(
  db: Kysely<Database>,
  chunk: Insertable<ReleaseArchiveChunksTable>,
): Promise<void> {
  await db.insertInto('release_archive_chunks').values(chunk).execute();
}

/** Returns whether the release still existed as an upload. A sweep may have deleted it. */
export async function markReleaseWanted(
  trx: Transaction<Database>,
  releaseId: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('app_releases')
    .set({ state: 'wanted', updated_at: now })
    .where('id', '=', releaseId)
    .where('state', '=', 'uploading')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Marks all other wanted releases of the app as superseded and deletes their archives. The caller has locked the
 * account.
 */
export async function supersedeReleases(
  trx: Transaction<Database>,
  app: { id: number; account_id: number },
  wantedReleaseId: number,
  now: Date,
): Promise<void> {
  const open = await trx
    .selectFrom('app_releases')
    .select('id')
    .where('account_id', '=', app.account_id)
    .where('app_id', '=', app.id)
    .where('state', '=', 'wanted')
    .where('id', '!=', wantedReleaseId)
    .execute();
  await closeReleases(
    trx,
    app.account_id,
    open.map(({ id }) => id),
    'superseded',
    now,
  );
}

/** Stores the commit of an app's release. The caller has locked the account. */
export async function storeReleaseCommit(
  trx: Transaction<Database>,
  { id, app_id, account_id }: { id: number; app_id: number; account_id: number },
  { hash, author, subject }: Commit,
): Promise<void> {
  await trx
    .updateTable('app_releases')
    .set({ commit_hash: hash, commit_author: author, commit_subject: subject })
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .where('app_id', '=', app_id)
    .where('source', '=', 'git')
    .execute();
}

/** Stores the final state of releases and deletes their archives. */
export async function closeReleases(
  trx: Transaction<Database>,
  accountId: number,
  releaseIds: readonly number[],
  state: 'served' | 'failed' | 'superseded',
  now: Date,
): Promise<void> {
  if (releaseIds.length === 0) return;
  await trx
    .updateTable('app_releases')
    .set({ state, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', 'in', releaseIds)
    .execute();
  await deleteArchives(trx, releaseIds);
}

async function deleteArchives(db: Kysely<Database>, releaseIds: readonly number[]): Promise<void> {
  if (releaseIds.length === 0) return;
  await db.deleteFrom('release_archive_chunks').where('release_id', 'in', releaseIds).execute();
}

/** Deletes an upload that did not become a release. Does nothing to one that did. */
export async function discardUpload(db: Kysely<Database>, releaseId: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('app_releases')
    .where('id', '=', releaseId)
    .where('state', '=', 'uploading')
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await deleteArchives(db, [releaseId]);
}

/** The oldest uploads that started before `before` and never became a release. */
export async function findStaleUploads(db: Kysely<Database>, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('app_releases')
    .select('id')
    .where('state', '=', 'uploading')
    .where('created_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes archives that no node will fetch. Returns the number of releases. Reads an index of the stored chunks. */
export async function deleteLostArchives(db: Kysely<Database>, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('release_archive_chunks')
    .leftJoin('app_releases', 'app_releases.id', 'release_archive_chunks.release_id')
    .select('release_archive_chunks.release_id as id')
    .where((eb) =>
      eb.or([eb('app_releases.id', 'is', null), eb('app_releases.state', 'not in', ['uploading', 'wanted'])]),
    )
    .groupBy('release_archive_chunks.release_id')
    .limit(limit)
    .execute();
  await deleteArchives(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Size in bytes of an archive that the node must fetch. Undefined for every other archive. */
export async function findWantedArchive(
  db: Kysely<Database>,
  wanted: { node_id: number; account_id: number; release_id: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('app_releases')
    .innerJoin('accounts', 'accounts.id', 'app_releases.account_id')
    .select('app_releases.archive_bytes')
    .where('app_releases.id', '=', wanted.release_id)
    .where('app_releases.account_id', '=', wanted.account_id)
    .where('app_releases.state', '=', 'wanted')
    .where('app_releases.source', '=', 'zip')
    .where('accounts.node_id', '=', wanted.node_id)
    .executeTakeFirst();
  return row?.archive_bytes ?? undefined;
}

/** One chunk of an archive, starting at 0. Undefined past the end, and after the archive was deleted. */
export async function findArchiveChunk(
  db: Kysely<Database>,
  releaseId: number,
  sequence: number,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('release_archive_chunks')
    .select('data')
    .where('release_id', '=', releaseId)
    .where('sequence', '=', sequence)
    .executeTakeFirst();
  return row?.data;
}

/** Deletes all releases of these apps. The caller has locked the account. */
export async function deleteReleasesOfApps(
  trx: Transaction<Database>,
  accountId: number,
  appIds: readonly number[],
): Promise<void> {
  const releases = await trx
    .selectFrom('app_releases')
    .select('id')
    .where('account_id', '=', accountId)
    .where('app_id', 'in', appIds)
    .execute();
  await deleteArchives(
    trx,
    releases.map(({ id }) => id),
  );
  await trx
    .deleteFrom('app_releases')
    .where('account_id', '=', accountId)
    .where('app_id', 'in', appIds)
    .execute();
}

/** The columns of an app that its served releases depend on. */
interface ServedApp {
  id: number;
  account_id: number;
  release_id: number | null;
  served_release_id: number | null;
}

export type AppRelease = Pick<
  Selectable<AppReleasesTable>,
  | 'id'
  | 'source'
  | 'state'
  | 'archive_bytes'
  | 'commit_hash'
  | 'commit_author'
  | 'commit_subject'
  | 'created_at'
  | 'updated_at'
>;

/** All known releases of an app, newest first. */
export async function findReleasesOfApp(
  db: Kysely<Database>,
  { id, account_id }: Pick<ServedApp, 'id' | 'account_id'>,
): Promise<AppRelease[]> {
  return await db
    .selectFrom('app_releases')
    .select(['id', 'source', 'state', 'archive_bytes', 'created_at', 'updated_at'])
    .select(['commit_hash', 'commit_author', 'commit_subject'])
    .where('account_id', '=', account_id)
    .where('app_id', '=', id)
    .where('state', '!=', 'uploading')
    .orderBy('id', 'desc')
    .execute();
}

/** Ids of the app's releases that serve or have served, starting with the one that served last. */
export async function findServedReleaseIds(db: Kysely<Database>, app: ServedApp): Promise<number[]> {
  const rows = await db
    .selectFrom('app_releases')
    .select('id')
    .where('account_id', '=', app.account_id)
    .where('app_id', '=', app.id)
    .where((eb) => eb.or([eb('state', '=', 'served'), eb('id', '=', app.served_release_id ?? 0)]))
    .orderBy((eb) => eb('id', '=', app.served_release_id ?? 0), 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id }) => id);
}

/** Records that a release serves again, so it is the one that served last. The caller has locked the account. */
export async function markReleaseServed(
  trx: Transaction<Database>,
  releaseId: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('app_releases')
    .set({ state: 'served', updated_at: now })
    .where('id', '=', releaseId)
    .execute();
}

/**
 * Deletes an app's releases that served before the last `servedKept`, and releases with another final state that ended
 * before `endedBefore`. Keeps the wanted release and the served one. The caller has locked the account.
 */
export async function pruneReleases(
  trx: Transaction<Database>,
  app: ServedApp,
  { servedKept, endedBefore }: { servedKept: number; endedBefore: Date },
): Promise<void> {
  const tooOld = (await findServedReleaseIds(trx, app)).slice(servedKept);
  const inUse = [app.release_id, app.served_release_id].filter((id) => id !== null);
  let ended = trx
    .deleteFrom('app_releases')
    .where('account_id', '=', app.account_id)
    .where('app_id', '=', app.id)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['failed', 'superseded']).and('updated_at', '<', endedBefore),
        eb('id', 'in', [0, ...tooOld]),
      ]),
    );
  if (inUse.length > 0) ended = ended.where('id', 'not in', inUse);
  await ended.execute();
}
