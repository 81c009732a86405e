import {
  type AccountRow,
  type AppDetails,
  type Database,
  pruneReleases,
  storeNextGeneration,
  supersedeReleases,
  updateApp,
} from '@innkeeper/db';
import { RELEASES_KEPT } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../written.ts';
import type { AppView } from './app-view.ts';
import { loadAppView } from './get-app.ts';

/** How long an operator can see that a deploy failed. */
const ENDED_KEPT_MS = 7 * 86_400_000;

/**
 * Makes a release what its app shall serve, a new one or one that served before; the caller has locked the
 * account, and checked the app after. What nobody can go back to any more is forgotten.
 */
export async function commitRelease(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  {
    account,
    app,
    release,
    action = 'app.deploy',
  }: {
    account: AccountRow;
    app: AppDetails;
    release: { id: number; source: 'zip' | 'git'; archive_bytes: number | null };
    action?: 'app.deploy' | 'app.rollback';
  },
): Promise<Written<AppView>> {
  const now = ctx.now();
  await supersedeReleases(trx, app, release.id, now);
  await updateApp(trx, app.id, {
    release_id: release.id,
    status: 'updating',
    status_reason: null,
    updated_at: now,
  });
  await pruneReleases(
    trx,
    { ...app, release_id: release.id },
    { servedKept: RELEASES_KEPT, endedBefore: new Date(now.getTime() - ENDED_KEPT_MS) },
  );
  const generation = await storeNextGeneration(trx, account, {}, now);
  const { source, archive_bytes } = release;
  await audit(trx, ctx, {
    action,
    target: `app:${app.id}`,
    account_id: account.id,
    details: {
      name: app.name,
      before: { release_id: app.release_id },
      after: { release_id: release.id },
      source,
      ...(archive_bytes === null ? {} : { archive_bytes }),
      generation,
    },
  });
  const view = await loadAppView(trx, ctx, app.id);
  return { view, nodeId: account.node_id, accountId: account.id, generation };
}
