import {
  type AccountChange,
  type AccountRow,
  type Database,
  deleteSessionsOfUser,
  setPasswordHash,
} from '@innkeeper/db';
import { invalidField, passwordRefusal } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { hashLinuxPassword } from '../passwords/linux-password.ts';
import { hashPanelPassword } from '../passwords/panel-password.ts';

export interface AccountPasswordHashes {
  /** argon2id, for the end user's panel login. */
  panel: string;
  /** crypt(3), for the Linux user. */
  linux: string;
}

/**
 * The hashes that an account keeps of its password. Takes some 40 ms, so it is done before the transaction
 * that holds locks. Throws `invalid` for a password that no Linux login would take.
 */
export async function hashAccountPassword(password: string): Promise<AccountPasswordHashes> {
  const refusal = passwordRefusal(password);
  if (refusal !== undefined) throw invalidField('password', refusal);
  const [panel, linux] = await Promise.all([hashPanelPassword(password), hashLinuxPassword(password)]);
  return { panel, linux };
}

/**
 * Gives the end user of a locked account its new panel password and ends its sessions, but for one that may be spared.
 * Answers what changes of the account.
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
