import { randomBytes } from 'node:crypto';
import type { AccountView, NewAccount } from '@innkeeper/contract';
import {
  type Database,
  findNodesWithRoom,
  insertAccount,
  insertUser,
  isStaffEmail,
  isUsernameTaken,
  lockReseller,
  type PackageRow,
  refuseStaffEmail,
  setUid,
} from '@innkeeper/db';
import {
  type AccountLimits,
  chooseNode,
  DomainError,
  invalidFields,
  isReservedUsername,
  limitsInPackage,
  limitsOfItsOwn,
  linuxUserFor,
  recordSentences,
  requireMay,
  uidForAccountId,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { OperatorContext } from '../context.ts';
import { createDesired, type Written } from '../desired-state.ts';
import { addFirstDomain } from '../domains/create-domain.ts';
import { addWelcomeMail, type Welcome } from '../mail/welcome-mail.ts';
import { resellerIdOf } from '../scope.ts';
import { hashAccountPassword } from './account-password.ts';
import { loadAccountView } from './account-view.ts';
import { findPackageForOwnLimits, findUsablePackage } from './package-choice.ts';
import { findPoolRefusals } from './pool-check.ts';

/**
 * Creates an account with its end user's panel login, on the node with the most room. Throws `invalid` with every field
 * that conflicts with existing records, `quota_exceeded` if the reseller has its maximum number of accounts, and
 * `unavailable`, with nothing written, if no node takes accounts. `welcome`: whether the customer gets a mail; `yes`
 * throws `conflict` without a mail server; `language`: of that mail. `domain_name`: its first domain; throws like `addFirstDomain`.
 */
export async function createAccount(
  ctx: OperatorContext,
  input: NewAccount,
  {
    welcome = 'no',
    language,
    domain_name,
  }: { welcome?: Welcome; language?: string | undefined; domain_name?: string | undefined } = {},
): Promise<Written<AccountView>> {
  requireMay(ctx.actor.role, 'account.create');
  const hashes = await hashAccountPassword(ctx, input.password);
  return await createDesired(ctx, 'account.create', async (trx) => {
    const reseller = ctx.actor.role === 'reseller' ? resellerIdOf(ctx.actor) : null;
    // A reseller that is suspended meanwhile cannot add an account that stays active.
    if (reseller !== null && (await lockReseller(trx, reseller))?.disabled_at !== null)
      throw new DomainError('unauthenticated', 'Unauthenticated.');

    const hostingPackage = await requireUsable(trx, ctx, input);
    const limits =
      input.package_id === null
        ? limitsOfItsOwn(hostingPackage, input)
        : limitsInPackage(hostingPackage, input);
    if (reseller !== null) await requireFromPool(trx, reseller, limits);
    const node = chooseNode(await findNodesWithRoom(trx, input.username));
    if (node === undefined)
      throw new DomainError('unavailable', 'No hosting server can take the account now. Try again later.');

    const now = ctx.now();
    const { username, name, email } = input;
    const userId = await insertUser(trx, {
      username,
      name,
      email,
      role: 'user',
      password_hash: hashes.panel,
      now,
    });
    await refuseStaffEmail(trx, email);
    const terminal_access = input.terminal_access ?? hostingPackage.terminal_access === 1;
    const id = await insertAccount(trx, {
      username,
      name,
      email,
      reseller_user_id: reseller,
      user_id: userId,
      package_id: hostingPackage.id,
      node_id: node.id,
      linux_user: linuxUserFor(username),
      creation_id: randomBytes(16).toString('hex'),
      state: 'active',
      linux_password_hash: hashes.linux,
      ...limits,
      terminal_access,
      created_at: now,
      updated_at: now,
    });
    await setUid(trx, id, uidForAccountId(id));
    if (domain_name !== undefined)
      await addFirstDomain(trx, ctx, { id, max_domains: limits.max_domains }, { domain_name, now });
    await addWelcomeMail(trx, { user_id: userId, welcome, language });
    return {
      account: { id, node_id: node.id },
      details: {
        username,
        after: {
          username,
          name,
          email,
          package_id: hostingPackage.id,
          ...limits,
          terminal_access,
          ...(domain_name === undefined ? {} : { domain_name }),
        },
        node_id: node.id,
      },
      view: () => loadAccountView(trx, ctx.actor, id),
    };
  });
}

/** The package of the request. Throws `invalid` with every field that conflicts with existing records. */
async function requireUsable(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  { username, email, package_id }: NewAccount,
): Promise<PackageRow> {
  const refusals: Record<string, string[]> = {};
  if (isReservedUsername(username) || (await isUsernameTaken(trx, username)))
    refusals.username = [recordSentences.taken('username')];
  if (await isStaffEmail(trx, email)) refusals.email = [recordSentences.taken('email')];
  const hostingPackage =
    package_id === null
      ? await findPackageForOwnLimits(trx, ctx)
      : await findUsablePackage(trx, ctx, package_id);
  if (hostingPackage === undefined)
    refusals.package_id = [
      package_id === null
        ? 'The package id field is required: there is no package for accounts with custom limits.'
        : recordSentences.selectionInvalid('package_id'),
    ];
  if (hostingPackage === undefined || Object.keys(refusals).length > 0) throw invalidFields(refusals);
  return hostingPackage;
}

async function requireFromPool(
  trx: Transaction<Database>,
  reseller: number,
  limits: AccountLimits,
): Promise<void> {
  const refusals = await findPoolRefusals(trx, reseller, limits);
  if (Object.keys(refusals).length > 0) throw invalidFields(refusals);
}
