import { DomainError, invalidField } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Database, FtpLoginsTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';

export type FtpLoginRow = Selectable<FtpLoginsTable>;

/** All logins of an account, by name. The caller has checked the account's scope. */
export async function findFtpLogins(db: Kysely<Database>, accountId: number): Promise<FtpLoginRow[]> {
  return await db
    .selectFrom('ftp_logins')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
}

/** Throws `not_found` for a login that does not exist. The caller has locked its account. */
export async function getFtpLogin(trx: Transaction<Database>, id: number): Promise<FtpLoginRow> {
  const row = await trx.selectFrom('ftp_logins').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no FTP login ${id}.`);
  return row;
}

/** How many logins the package of the account allows. */
export async function getFtpLoginLimit(db: Kysely<Database>, packageId: number): Promise<number> {
  const row = await db
    .selectFrom('packages')
    .select('max_ftp_logins')
    .where('id', '=', packageId)
    .executeTakeFirstOrThrow();
  return row.max_ftp_logins;
}

/** What the server of an account shows of itself to those who log in. Null: not reported. */
export async function getServerFingerprints(
  db: Kysely<Database>,
  accountId: number,
): Promise<{ ssh_fingerprint: string | null; ftp_fingerprint: string | null }> {
  return await db
    .selectFrom('accounts')
    .innerJoin('nodes', 'nodes.id', 'accounts.node_id')
    .select(['nodes.ssh_fingerprint', 'nodes.ftp_fingerprint'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Returns the new login's id. Throws DomainError `invalid` for a name that a login or an account's user has. */
export async function insertFtpLogin(
  trx: Transaction<Database>,
  login: Insertable<FtpLoginsTable>,
): Promise<number> {
  const user = await trx
    .selectFrom('accounts')
    .select('id')
    .where('linux_user', '=', login.name)
    .executeTakeFirst();
  if (user !== undefined) throw nameTaken();
  try {
    const { insertId } = await trx.insertInto('ftp_logins').values(login).executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isUniqueViolation(error, 'ftp_logins_name')) throw nameTaken();
    throw error;
  }
}

const nameTaken = () => invalidField('suffix', 'The suffix has already been taken.');

export async function storeFtpLogin(
  trx: Transaction<Database>,
  id: number,
  change: Pick<FtpLoginRow, 'folder' | 'password_hash' | 'public_keys' | 'updated_at'>,
): Promise<void> {
  await trx.updateTable('ftp_logins').set(change).where('id', '=', id).execute();
}

export async function deleteFtpLogin(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('ftp_logins').where('id', '=', id).execute();
}
