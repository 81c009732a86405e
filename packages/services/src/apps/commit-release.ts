import {
  type AccountRow,
  type AppDetails,
  type Database,
  storeNextGeneration,
  supersedeReleases,
  updateApp,
} from '@innkeeper/db';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../written.ts';
import type { AppView } from './app-view.ts';
import { loadAppView } from './get-app.ts';

/** Makes a release what its app shall serve; the caller has locked the account, and checked the app after. */
export async function commitRelease(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  {
    account,
    app,
    release,
  }: {
    account: AccountRow;
    app: AppDetails;
    release: { id: number; source: 'zip' | 'git'; archive_bytes: number | null };
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
  const generation = await storeNextGeneration(trx, account, {}, now);
  const { source, archive_bytes } = release;
  await audit(trx, ctx, {
    action: 'app.deploy',
    target: `app:${app.id}`,
    account_id: account.id,
    details: {
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
