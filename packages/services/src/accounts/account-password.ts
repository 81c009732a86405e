import {
  type AccountChange,
  type AccountRow,
  type Database,
  deleteSessionsOfUser,
  setPasswordHash,
} from '@innkeeper/db';
import { invalidField, passwordRefusal } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { passwordHashesOf } from '../passwords/password-hashes.ts';

export interface AccountPasswordHashes {
  /** argon2id, for the end user's panel login. */
  panel: string;
  /** crypt(3), for the Linux user. */
  linux: string;
}

/**
 * Returns the hashes that an account stores of its password. Hashing takes about 40 ms, so it runs before the
 * transaction that takes locks. Throws `invalid` for a password that no Linux login accepts.
 */
export async function hashAccountPassword(
  ctx: Pick<ServiceContext, 'passwordHashes'>,
  password: string,
): Promise<AccountPasswordHashes> {
  const refusal = passwordRefusal(password);
  if (refusal !== undefined) throw invalidField('password', refusal);
  const hashes = passwordHashesOf(ctx);
  const [panel, linux] = await Promise.all([hashes.panel(password), hashes.linux(password)]);
  return { panel, linux };
}

/**
 * Sets the new panel password of the end user of a locked account and ends the user's sessions, except `spare` if
 * given. Returns the changes to the account's row.
 */
export async function replacePassword(
  trx: Transaction<Database>,
  { user_id }: Pick<AccountRow, 'user_id'>,
  hashes: AccountPasswordHashes,
  { now, spare }: { now: Date; spare?: number },
): Promise<AccountChange> {
  await setPasswordHash(trx, user_id, hashes.panel, now);
  await deleteSessionsOfUser(trx, user_id, spare);
  return { linux_password_hash: hashes.linux };
}
