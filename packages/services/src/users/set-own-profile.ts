import { ownProfile, type ProfileInput, parseFields } from '@innkeeper/contract';
import {
  comparableEmail,
  type Database,
  findUserProfile,
  inTransaction,
  lockAccountOfUser,
  lockUser,
  refuseStaffEmail,
  releaseStaffEmail,
  storeAccountPerson,
  storeProfile,
  takeStaffEmail,
  type UserProfile,
} from '@innkeeper/db';
import { type Action, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { type AuditSource, audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { UserContext } from '../panel-context.ts';

/**
 * Changes the user's own name and email address; an end user's are also those of its account. Sessions stay, and links
 * that were mailed to the former address end. Throws `invalid` with the field for a malformed or taken address. The
 * caller has made the user confirm its identity: a mailed link can set the password.
 */
export async function setOwnProfile(ctx: UserContext, input: ProfileInput): Promise<void> {
  const wanted = parseFields(ownProfile, input);
  const { userId } = ctx.actor;
  await inTransaction(ctx.db, (trx) => storePerson(trx, ctx, { userId, wanted, action: 'user.profile' }));
}

/**
 * Stores the name and email address of a panel user, and of its account, with the audit row. Throws `not_found`, and
 * `invalid` for a taken address.
 */
export async function storePerson(
  trx: Transaction<Database>,
  ctx: AuditSource,
  { userId, wanted, action }: { userId: number; wanted: ProfileInput; action: Action },
): Promise<void> {
  const account = await lockOwner(trx, userId);
  const before = await findUserProfile(trx, userId);
  if (before === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
  const changed = changedFields({ name: before.name, email: before.email }, wanted);
  if (Object.keys(changed.after).length === 0) return;
  const now = ctx.now();
  await storeProfile(trx, userId, wanted, now);
  await reserveEmail(trx, userId, before, wanted.email);
  if (account !== undefined) await storeAccountPerson(trx, account.id, wanted, now);
  await audit(trx, ctx, {
    action,
    target: `user:${userId}`,
    account_id: account?.id ?? null,
    details: action === 'user.profile' ? changed : { username: before.username, ...changed },
  });
}

/** Locks an end user's account and then the user: the order of every other change. */
async function lockOwner(trx: Transaction<Database>, userId: number) {
  const user = await findUserProfile(trx, userId);
  const account =
    user?.role === 'user' ? await lockAccountOfUser(trx, { id: userId, username: user.username }) : undefined;
  await lockUser(trx, userId);
  return account;
}

async function reserveEmail(
  trx: Transaction<Database>,
  userId: number,
  before: Pick<UserProfile, 'role' | 'email'>,
  email: string,
): Promise<void> {
  if (comparableEmail(before.email) === comparableEmail(email)) return;
  if (before.role === 'user') return await refuseStaffEmail(trx, email);
  await releaseStaffEmail(trx, before.email, userId);
  await takeStaffEmail(trx, email, userId);
}
