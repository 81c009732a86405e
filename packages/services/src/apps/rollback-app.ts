import type { AppView } from '@innkeeper/contract';
import {
  type AppDetails,
  type Database,
  findReleasesOfApp,
  findServedReleaseIds,
  getAppDetails,
  markReleaseServed,
} from '@innkeeper/db';
import { DomainError, RELEASES_KEPT } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { assertKept, assertMayRun } from './app-policy.ts';
import { commitRelease } from './commit-release.ts';

/**
 * Rolls an app back to a release that served before: `release_id`, or the last release that served, other than the
 * wanted one. Its node still has the release, so nothing is fetched or built. Throws `not_found`, and
 * `precondition_failed` for a release that is not kept, an app that is being removed, and an account that must not run
 * anything.
 */
export async function rollbackApp(
  ctx: ServiceContext,
  { app_id: id, release_id }: { app_id: number; release_id?: number | undefined },
): Promise<Written<AppView>> {
  const asked = { action: 'app.rollback', kind: 'app', id, requireState: assertMayRun } as const;
  return await changeDesired(ctx, asked, async (trx, _account, now) => {
    const app = await getAppDetails(trx, scopeOf(ctx.actor), id);
    assertKept(app);
    const target = await chooseRelease(trx, app, release_id);
    // Before pruning: this release served last, so it is the last to be deleted.
    await markReleaseServed(trx, target.id, now);
    return await commitRelease(trx, ctx, app, target, now);
  });
}

async function chooseRelease(db: Kysely<Database>, app: AppDetails, asked: number | undefined) {
  const refused = (sentence: string) => new DomainError('precondition_failed', sentence);
  const releases = await findReleasesOfApp(db, app);
  const kept = (await findServedReleaseIds(db, app)).slice(0, RELEASES_KEPT);
  const id = asked ?? kept.find((servedId) => servedId !== app.release_id);
  if (id === undefined) throw refused(`App ${app.id} has no earlier release that served.`);
  const release = releases.find((candidate) => candidate.id === id);
  if (release === undefined) throw refused(`App ${app.id} has no release ${id}, or it is no longer kept.`);
  if (id === app.release_id) throw refused(`Release ${id} is already the release of app ${app.id}.`);
  if (!kept.includes(id))
    throw refused(
      release.state === 'served'
        ? `Release ${id} is too old: only the last ${RELEASES_KEPT} that served are kept.`
        : `Release ${id} never served.`,
    );
  return release;
}
