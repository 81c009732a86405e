import type { AppView } from '@innkeeper/contract';
import { type AppDetails, type Database, pruneReleases, supersedeReleases, updateApp } from '@innkeeper/db';
import { RELEASES_KEPT } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import type { Change } from '../desired-state.ts';
import { loadAppView } from './get-app.ts';

/** How long operators can see a failed deploy. */
const ENDED_KEPT_MS = 7 * 86_400_000;

/**
 * Makes a release, new or served before, the wanted one of its app. The caller has locked the account and then checked
 * the app. Deletes releases that nobody can roll back to.
 */
export async function commitRelease(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  app: AppDetails,
  release: { id: number; source: 'zip' | 'git'; archive_bytes: number | null },
  now: Date,
): Promise<Change<AppView>> {
  const { id: release_id, source, archive_bytes } = release;
  await supersedeReleases(trx, app, release_id, now);
  await updateApp(trx, app.id, { release_id, status: 'updating', status_reason: null, updated_at: now });
  await pruneReleases(
    trx,
    { ...app, release_id },
    { servedKept: RELEASES_KEPT, endedBefore: new Date(now.getTime() - ENDED_KEPT_MS) },
  );
  return {
    details: {
      name: app.name,
      before: { release_id: app.release_id },
      after: { release_id },
      source,
      ...(archive_bytes === null ? {} : { archive_bytes }),
    },
    view: () => loadAppView(trx, ctx, app.id),
  };
}
