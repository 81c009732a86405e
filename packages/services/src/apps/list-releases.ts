import { type AppRelease, findReleasesOfApp, findServedReleaseIds, getAppDetails } from '@innkeeper/db';
import { RELEASES_KEPT } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

export interface AppReleaseView extends AppRelease {
  is_wanted: boolean;
  is_serving: boolean;
  /** Whether the app can be rolled back to it. */
  is_kept: boolean;
}

/** Releases of an app, newest first: those for a rollback, and recent failures. Throws `not_found`. */
export async function listReleases(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<AppReleaseView[]> {
  const app = await getAppDetails(ctx.db, scopeOf(ctx.actor), app_id);
  const kept = new Set((await findServedReleaseIds(ctx.db, app)).slice(0, RELEASES_KEPT));
  const releases = await findReleasesOfApp(ctx.db, app);
  return releases.map((release) => ({
    ...release,
    is_wanted: release.id === app.release_id,
    is_serving: release.id === app.served_release_id,
    is_kept: kept.has(release.id),
  }));
}
