import { getAppDetails, insertRelease, lockAccount } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { assertKept, assertMayRunCode } from './app-policy.ts';
import type { AppView } from './app-view.ts';
import { commitRelease } from './commit-release.ts';

/**
 * Has an app pulled from its Git repository and built again. Throws `not_found`, as `assertMayRunCode` does,
 * and `precondition_failed` for an app without a repository, or that is being removed.
 */
export async function deployGit(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<Written<AppView>> {
  const written = await writeOnce(ctx, async (trx) => {
    const scope = scopeOf(ctx.actor);
    const { account_id } = await getAppDetails(trx, scope, app_id);
    const account = await lockAccount(trx, scope, account_id);
    const app = await getAppDetails(trx, scope, app_id);
    assertMayRunCode(account.state);
    assertKept(app);
    if (app.git_repository === null)
      throw new DomainError('precondition_failed', 'Git deploy is not configured for this app.');
    const now = ctx.now();
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
    return await commitRelease(trx, ctx, { account, app, release: { ...release, id } });
  });
  ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}
