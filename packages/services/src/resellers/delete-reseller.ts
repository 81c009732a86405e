import {
  countAccountsOfPackage,
  type Database,
  deleteResellerRows,
  deleteSessionsOfUser,
  type Estate,
  findEstate,
  findLiveTokenIds,
  inTransaction,
  isSlugTaken,
  lockReseller,
  retireStaff,
  setTokenRevoked,
  storePackage,
} from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { requireNoBulkChange } from '../bulk-changes/begin-bulk-change.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { removePackage } from '../packages/delete-package.ts';
import { lockOwnPackage } from '../packages/package-owner.ts';
import { nobodysPasswordHash } from '../passwords/panel-password.ts';
import { findNewManager, type NewManager, requireActive } from './new-manager.ts';
import { getReseller } from './reseller.ts';

export interface DeleteResellerInput {
  reseller: string;
  /** Who gets its own packages: a reseller, or null for the operator itself. */
  packages_to: string | null;
  /** Whether packages that no account has are deleted instead. */
  unused_packages: 'keep' | 'delete';
  /** The bulk change that has handed over its accounts deletes it. */
  in_bulk_change?: boolean;
}

/**
 * Deletes a reseller that has no account: it is signed out, its tokens are revoked, its pool and brand are deleted, its
 * name and email address are free. The audit log keeps the name. Throws `not_found`; `precondition_failed` with the number
 * of its accounts, and while a bulk change of them runs; `invalid` on `to`.
 */
export async function deleteReseller(
  ctx: OperatorContext,
  { reseller, packages_to, unused_packages, in_bulk_change = false }: DeleteResellerInput,
): Promise<{ token_ids: number[] }> {
  requireMay(ctx.actor.role, 'reseller.delete');
  return await inTransaction(ctx.db, async (trx) => {
    const { id, username } = await getReseller(trx, reseller);
    const manager = await findNewManager(trx, packages_to);
    const both = manager === null ? [id] : [id, manager.id];
    for (const one of both.sort((a, b) => a - b)) await lockReseller(trx, one);
    // Again under the lock: it may have been deleted meanwhile.
    await getReseller(trx, reseller);
    if (!in_bulk_change) await requireNoBulkChange(trx, `user:${id}`);
    const estate = await findEstate(trx, id);
    if (estate.accounts > 0) throw stillHasAccounts(username, estate);
    if (manager?.id === id) throw new DomainError('invalid', 'Choose another owner for its packages.');
    if (estate.packages.length > 0) await requireActive(trx, manager);
    for (const one of estate.packages)
      await settlePackage(trx, ctx, one.id, { from: username, to: manager, unused_packages });
    const now = ctx.now();
    const token_ids = await findLiveTokenIds(trx, id);
    for (const token of token_ids) await setTokenRevoked(trx, token, now);
    const sessions_ended = await deleteSessionsOfUser(trx, id);
    await deleteResellerRows(trx, id);
    await retireStaff(trx, { id, password_hash: nobodysPasswordHash, now });
    await audit(trx, ctx, {
      action: 'reseller.delete',
      target: `user:${id}`,
      account_id: null,
      details: {
        username,
        sessions_ended,
        tokens_revoked: token_ids.length,
        packages: estate.packages.length,
      },
    });
    return { token_ids };
  });
}

function stillHasAccounts(username: string, { accounts, terminating }: Estate): DomainError {
  const left = accounts - terminating;
  const sentences = [
    left === 0
      ? `${username} has no account left but ${terminating} that ${terminating === 1 ? 'is' : 'are'} being terminated. Wait until the server has removed ${terminating === 1 ? 'it' : 'them'}.`
      : `${username} has ${left} ${left === 1 ? 'account' : 'accounts'}. Hand ${left === 1 ? 'it' : 'them'} over to another reseller or to yourself, or terminate ${left === 1 ? 'it' : 'them'}.`,
    ...(left > 0 && terminating > 0
      ? [`${terminating} more ${terminating === 1 ? 'is' : 'are'} being terminated.`]
      : []),
  ];
  return new DomainError('precondition_failed', sentences.join(' '));
}

/** Deletes an own package of the reseller that no account has, if that is asked; otherwise it gets another owner. */
async function settlePackage(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  packageId: number,
  {
    from,
    to,
    unused_packages,
  }: { from: string; to: NewManager } & Pick<DeleteResellerInput, 'unused_packages'>,
): Promise<void> {
  const row = await lockOwnPackage(trx, ctx, packageId);
  if (unused_packages === 'delete' && (await countAccountsOfPackage(trx, row.id)) === 0)
    return await removePackage(trx, ctx, row);
  const owner_user_id = to?.id ?? null;
  // Short names are unique for each owner. The id makes this one unique.
  const slug = (await isSlugTaken(trx, owner_user_id, row.slug))
    ? `${row.slug.slice(0, 80)}-${row.id}`
    : row.slug;
  await storePackage(trx, row.id, { owner_user_id, slug, updated_at: ctx.now() });
  await audit(trx, ctx, {
    action: 'package.change',
    target: `package:${row.id}`,
    account_id: null,
    details: {
      name: row.name,
      ...changedFields({ owner: from, slug: row.slug }, { owner: to?.username ?? null, slug }),
    },
  });
}
