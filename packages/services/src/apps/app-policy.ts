import { type AppDetails, type Database, getAccountDetails, getAppDetails } from '@innkeeper/db';
import { type AccountState, assertChangeable, DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/**
 * What may be done to the apps of an account that the actor sees. Nothing is installed on or deployed to a
 * suspended account: it would have to run there. Looking and removing is allowed. Throws `forbidden`, and
 * `precondition_failed` while the account is being terminated.
 */
export function assertMayRunCode(state: AccountState): void {
  assertChangeable(state);
  if (state === 'suspended') throw new DomainError('forbidden', 'This action is unauthorized.');
}

/** The same for the programs and releases that an account has: throws `precondition_failed` while it is suspended, too. */
export function assertMayRun(state: AccountState): void {
  assertChangeable(state);
  if (state === 'suspended')
    throw new DomainError('precondition_failed', 'This account is suspended: its apps do not run.');
}

/** Throws what an install would throw because of its account: `not_found`, then as `assertMayRunCode` does. */
export async function requireInstall(
  ctx: ServiceContext,
  { hosting_account_id }: { hosting_account_id: number },
): Promise<void> {
  const { state } = await getAccountDetails(ctx.db, scopeOf(ctx.actor), hosting_account_id);
  assertMayRunCode(state);
}

/**
 * The app, if an archive may be deployed to it. Throws `not_found`, as `assertMayRunCode` does, and
 * `precondition_failed` for an app that its template keeps to itself, or that is being removed.
 */
export async function requireZipDeploy(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<AppDetails> {
  return await getZipDeploy(ctx.db, ctx, app_id);
}

/** The same inside of a transaction. */
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
