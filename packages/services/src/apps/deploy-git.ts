import type { AppView } from '@innkeeper/contract';
import { getAppDetails, insertRelease } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { assertKept, assertMayRunCode } from './app-policy.ts';
import { commitRelease } from './commit-release.ts';

/**
 * Pulls and builds an app again from its Git repository. Throws `not_found`, like `assertMayRunCode`, and
 * `precondition_failed` for an app without a repository or one that is being removed.
 */
export async function deployGit(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<Written<AppView>> {
  return await deployBranch(ctx, { app_id, action: 'app.deploy' });
}

/** The same for both ways to a deploy: somebody asked for it, or pushed to the branch. */
export async function deployBranch(
  ctx: ServiceContext,
  { app_id, action }: { app_id: number; action: 'app.deploy' | 'app.push-deploy' },
): Promise<Written<AppView>> {
  const asked = { action, kind: 'app', id: app_id, requireState: assertMayRunCode } as const;
  return await changeDesired(ctx, asked, async (trx, { id: account_id }, now) => {
    const app = await getAppDetails(trx, scopeOf(ctx.actor), app_id);
    assertKept(app);
    if (app.git_repository === null)
      throw new DomainError('precondition_failed', 'Git deploy is not configured for this app.');
    const release = { source: 'git', archive_bytes: null } as const;
    const id = await insertRelease(trx, {
      ...release,
      account_id,
      app_id,
      state: 'wanted',
      archive_sha256: null,
      created_at: now,
      updated_at: now,
    });
    return await commitRelease(trx, ctx, app, { ...release, id }, now);
  });
}
