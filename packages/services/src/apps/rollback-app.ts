import {
  type AppDetails,
  type Database,
  findReleasesOfApp,
  findServedReleaseIds,
  getAppDetails,
  lockAccount,
  markReleaseServed,
} from '@innkeeper/db';
import { type AccountState, assertChangeable, DomainError, RELEASES_KEPT } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { assertKept } from './app-policy.ts';
import type { AppView } from './app-view.ts';
import { commitRelease } from './commit-release.ts';

/**
 * Has an app serve a release again that served before: `release_id`, or the last that did before what is
 * wanted now. Its node still has it, so nothing is fetched and nothing is built. Throws `not_found`, and
 * `precondition_failed` for a release that is not kept, an app that is being removed, and an account that
 * must not run anything.
 */
export async function rollbackApp(
  ctx: ServiceContext,
  { app_id, release_id }: { app_id: number; release_id?: number | undefined },
): Promise<Written<AppView>> {
  const written = await writeOnce(ctx, async (trx) => {
    const scope = scopeOf(ctx.actor);
    const { account_id } = await getAppDetails(trx, scope, app_id);
    const account = await lockAccount(trx, scope, account_id);
    const app = await getAppDetails(trx, scope, app_id);
    assertMayServe(account.state);
    assertKept(app);
    const target = await chooseRelease(trx, app, release_id);
    // Before the others are pruned: it served last, so it is the last to be forgotten.
    await markReleaseServed(trx, target.id, ctx.now());
    return await commitRelease(trx, ctx, { account, app, release: target, action: 'app.rollback' });
  });
  ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

function assertMayServe(state: AccountState): void {
  assertChangeable(state);
  if (state === 'suspended')
    throw new DomainError('precondition_failed', 'This account is suspended: its apps do not run.');
}

async function chooseRelease(db: Kysely<Database>, app: AppDetails, asked: number | undefined) {
  const refused = (sentence: string) => new DomainError('precondition_failed', sentence);
  const releases = await findReleasesOfApp(db, app);
  const kept = (await findServedReleaseIds(db, app)).slice(0, RELEASES_KEPT);
  const id = asked ?? kept.find((servedId) => servedId !== app.release_id);
  if (id === undefined) throw refused(`App ${app.id} has no earlier release that served.`);
  const release = releases.find((candidate) => candidate.id === id);
  if (release === undefined) throw refused(`App ${app.id} has no release ${id}, or none that is kept still.`);
  if (id === app.release_id) throw refused(`Release ${id} is what app ${app.id} shall serve already.`);
  if (!kept.includes(id))
    throw refused(
      release.state === 'served'
        ? `Release ${id} is too old: only the last ${RELEASES_KEPT} that served are kept.`
        : `Release ${id} never served.`,
    );
  return release;
}
