import { DomainError, invalidField } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Database, SshKeysTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';

export type SshKeyRow = Selectable<SshKeysTable>;

/** All keys of an account, oldest first. The caller has checked the account's scope. */
export async function findSshKeys(db: Kysely<Database>, accountId: number): Promise<SshKeyRow[]> {
  return await db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/** Throws `not_found` for a key that does not exist. The caller has locked its account. */
export async function getSshKey(trx: Transaction<Database>, id: number): Promise<SshKeyRow> {
  const row = await trx.selectFrom('ssh_keys').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no SSH key ${id}.`);
  return row;
}

/** Returns the new key's id. Throws DomainError `invalid` for a key that the account has. */
export async function insertSshKey(
  trx: Transaction<Database>,
  key: Insertable<SshKeysTable>,
): Promise<number> {
  try {
    const { insertId } = await trx.insertInto('ssh_keys').values(key).executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isUniqueViolation(error, 'ssh_keys_fingerprint'))
      throw invalidField('public_key', 'This account already has this key.');
    throw error;
  }
}

export async function deleteSshKey(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('ssh_keys').where('id', '=', id).execute();
}
