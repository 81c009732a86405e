import { type AppDetails, type Database, getAccountDetails, getAppDetails } from '@innkeeper/db';
import { type AccountState, assertChangeable, DomainError, requireMay } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/**
 * Whether apps can be installed on or deployed to an account that the actor sees. A suspended account refuses both,
 * because the app would have to run there. Reading and removing is allowed. Throws `forbidden` for a suspended account,
 * and `precondition_failed` while the account is being terminated.
 */
export function assertMayRunCode(state: AccountState): void {
  assertChangeable(state);
  if (state === 'suspended') throw new DomainError('forbidden', 'This action is unauthorized.');
}

/**
 * The same check for existing programs and releases. Throws `precondition_failed` also while the account is suspended.
 */
export function assertMayRun(state: AccountState): void {
  assertChangeable(state);
  if (state === 'suspended')
    throw new DomainError('precondition_failed', 'This account is suspended: its apps do not run.');
}

/** Throws the errors of an install that depend on the account: `not_found`, then like `assertMayRunCode`. */
export async function requireInstall(
  ctx: ServiceContext,
  { hosting_account_id }: { hosting_account_id: number },
): Promise<void> {
  const { state } = await getAccountDetails(ctx.db, scopeOf(ctx.actor), hosting_account_id);
  assertMayRunCode(state);
}

/**
 * The app, if an archive can be deployed to it. Throws `not_found`, like `assertMayRunCode`, and `precondition_failed`
 * for an app whose template does not allow it and for an app that is being removed.
 */
export async function requireZipDeploy(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<AppDetails> {
  requireMay(ctx.actor.role, 'app.deploy');
  return await getZipDeploy(ctx.db, ctx, app_id);
}

/** The same inside a transaction. */
export async function getZipDeploy(
  db: Kysely<Database>,
  ctx: Pick<ServiceContext, 'actor'>,
  appId: number,
): Promise<AppDetails> {
  const app = await getAppDetails(db, scopeOf(ctx.actor), appId);
  assertMayRunCode(app.account_state);
  assertKept(app);
  if (app.installer !== 'starter')
    throw new DomainError(
      'precondition_failed',
      'Archives can only be deployed to php, nodejs and static apps.',
    );
  return app;
}

/** Throws `precondition_failed` for an app that is being removed: it accepts no changes. */
export function assertKept({ state }: Pick<AppDetails, 'state'>): void {
  if (state === 'removing') throw new DomainError('precondition_failed', 'This app is being removed.');
}
