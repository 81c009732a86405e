import type { AccountView } from '@innkeeper/contract';
import { newPassword, parseFields } from '@innkeeper/contract';
import {
  type Database,
  deletePasswordLinksOfUser,
  deleteSessionsOfUser,
  findMailRecipient,
  findPasswordLink,
  inTransaction,
  lockUser,
  type MailRecipient,
  setPasswordHash,
} from '@innkeeper/db';
import { assertMaySignIn } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import { hashAccountPassword, replacePassword } from '../accounts/account-password.ts';
import { changeAccount } from '../accounts/change-account.ts';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { passwordHashesOf } from '../passwords/password-hashes.ts';
import { endedLink, tokenHashOf, userHashOf } from './password-link.ts';

/** A visitor with a mailed link, who is not signed in. */
export interface LinkVisitor extends Omit<ServiceContext, 'actor'> {
  address: string;
}

/** Returns the username of a link that works. The link stays: mail scanners open links. Throws `forbidden`. */
export async function checkPasswordLink(
  { db, now }: Pick<LinkVisitor, 'db' | 'now'>,
  { token }: { token: string },
): Promise<{ username: string }> {
  const { username } = await userOfLink(db, token, now());
  return { username };
}

/**
 * Sets the password of the link's user, once, and signs the user out everywhere. A second factor stays: the next sign-in
 * asks for it. Returns the write of a customer, whose password is also its account's. Throws `forbidden` for a link that
 * does not work and for an account that is not active, and `invalid` on the field `password`.
 */
export async function setPasswordByLink(
  visitor: LinkVisitor,
  { token, password }: { token: string; password: string },
): Promise<{ username: string; written: Written<AccountView> | null }> {
  const user = await userOfLink(visitor.db, token, visitor.now());
  parseFields(newPassword, { password });
  const consume = async (trx: Transaction<Database>) => {
    await userOfLink(trx, token, visitor.now());
    await deletePasswordLinksOfUser(trx, user.id);
  };
  const { username, role, account_id } = user;
  if (role !== 'user') {
    await setStaffPassword(visitor, user, password, consume);
    return { username, written: null };
  }
  if (account_id === null) throw endedLink();
  const hashes = await hashAccountPassword(visitor, password);
  const { address } = visitor;
  const actor = { userId: user.id, role: 'user', accountId: account_id, tokenId: null, address } as const;
  const asked = { action: 'account.set-password', id: account_id, requireState: assertMaySignIn } as const;
  const written = await changeAccount({ ...visitor, actor }, asked, async (trx, account, now) => {
    await consume(trx);
    return await replacePassword(trx, account, hashes, { now });
  });
  return { username, written };
}

async function setStaffPassword(
  visitor: LinkVisitor,
  { id }: MailRecipient,
  password: string,
  consume: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  const { requestId, now, address } = visitor;
  const hash = await passwordHashesOf(visitor).panel(password);
  await inTransaction(visitor.db, async (trx) => {
    await lockUser(trx, id);
    await consume(trx);
    await setPasswordHash(trx, id, hash, now());
    const sessions_ended = await deleteSessionsOfUser(trx, id);
    await audit(
      trx,
      { requestId, now, actor: { userId: id, tokenId: null, address } },
      {
        action: 'user.set-password',
        target: `user:${id}`,
        account_id: null,
        details: { replaced: ['password'], sessions_ended, by: 'mailed link' },
      },
    );
  });
}

async function userOfLink(db: Kysely<Database>, token: string, now: Date): Promise<MailRecipient> {
  const hash = tokenHashOf(token);
  const link = hash === undefined ? undefined : await findPasswordLink(db, hash);
  if (link === undefined || link.expires_at <= now) throw endedLink();
  const user = await findMailRecipient(db, { id: link.user_id });
  if (user === undefined || !userHashOf(user).equals(link.user_hash)) throw endedLink();
  return user;
}
