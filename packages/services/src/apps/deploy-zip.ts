import type { AppView } from '@innkeeper/contract';
import {
  type AppDetails,
  ARCHIVE_CHUNK_BYTES,
  discardUpload,
  insertArchiveChunk,
  insertRelease,
  markReleaseWanted,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { assertMayRunCode, getZipDeploy, requireZipDeploy } from './app-policy.ts';
import { commitRelease } from './commit-release.ts';
import { inspectArchive, type UploadedArchive } from './inspect-archive.ts';

/**
 * Deploys an archive to an app. The archive is checked, then stored chunk by chunk. Only then one transaction makes it
 * the wanted release. Of two concurrent deploys, the one that commits later is served. A failure before the commit
 * leaves nothing behind. `onlyFolder`: the folder of the archive that has all its files. Throws like `requireZipDeploy`, and `invalid` for an archive that breaks a rule.
 */
export async function deployZip(
  ctx: ServiceContext,
  { app_id, archive }: { app_id: number; archive: UploadedArchive },
): Promise<Written<AppView> & { onlyFolder?: string | undefined }> {
  const app = await requireZipDeploy(ctx, { app_id });
  const { onlyFolder } = await inspectArchive(archive);
  const releaseId = await beginUpload(ctx, app, archive);
  try {
    await storeChunks(ctx, { releaseId, accountId: app.account_id }, archive);
    return { ...(await want(ctx, app_id, { id: releaseId, bytes: archive.bytes })), onlyFolder };
  } finally {
    // Does nothing to an upload that became a release. A later sweep removes what stays because the database is
    // unreachable.
    await discardUpload(ctx.db, releaseId).catch(() => undefined);
  }
}

async function beginUpload(ctx: ServiceContext, app: AppDetails, archive: UploadedArchive): Promise<number> {
  const now = ctx.now();
  return await insertRelease(ctx.db, {
    account_id: app.account_id,
    app_id: app.id,
    source: 'zip',
    state: 'uploading',
    archive_sha256: archive.sha256,
    archive_bytes: archive.bytes,
    created_at: now,
    updated_at: now,
  });
}

/** Stores each chunk with its own connection: no connection is held between chunks. */
async function storeChunks(
  { db }: Pick<ServiceContext, 'db'>,
  { releaseId, accountId }: { releaseId: number; accountId: number },
  archive: UploadedArchive,
): Promise<void> {
  for (let sequence = 0; sequence * ARCHIVE_CHUNK_BYTES < archive.bytes; sequence++) {
    const start = sequence * ARCHIVE_CHUNK_BYTES;
    const data = Buffer.alloc(Math.min(ARCHIVE_CHUNK_BYTES, archive.bytes - start));
    await archive.read(data, start);
    await insertArchiveChunk(db, { release_id: releaseId, sequence, account_id: accountId, data });
  }
}

async function want(
  ctx: ServiceContext,
  id: number,
  upload: { id: number; bytes: number },
): Promise<Written<AppView>> {
  const asked = { action: 'app.deploy', kind: 'app', id, requireState: assertMayRunCode } as const;
  return await changeDesired(ctx, asked, async (trx, _account, now) => {
    const app = await getZipDeploy(trx, ctx, id);
    if (!(await markReleaseWanted(trx, upload.id, now)))
      throw new DomainError('unavailable', 'The upload took too long. Try again.');
    const release = { id: upload.id, source: 'zip', archive_bytes: upload.bytes } as const;
    return await commitRelease(trx, ctx, app, release, now);
  });
}
