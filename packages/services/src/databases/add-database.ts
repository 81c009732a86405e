import { type AccountRow, countRecords, type Database, tryInsertDatabase } from '@innkeeper/db';
import {
  DATABASE_SUFFIX_CHARACTERS,
  DATABASES_PER_ACCOUNT,
  DomainError,
  databaseNameFor,
  invalidField,
  recordSentences,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { newDatabasePassword } from '../passwords/database-password.ts';
import { LOWERCASE_AND_DIGITS, randomCharacters } from '../secrets/random-secrets.ts';

const RANDOM_NAMES_TRIED = 20;

/**
 * Inserts a database with its own user and password and returns its id. The caller has locked the account. The name on
 * the server is made from the label. Without a label, or if the label gives no valid name, the name has a random
 * suffix. Throws `quota_exceeded`, and `invalid` for a label whose name is taken.
 */
export async function addDatabase(
  trx: Transaction<Database>,
  ctx: Pick<ServiceContext, 'now' | 'sealer'>,
  account: AccountRow,
  input: { name: string | undefined; app_id: number | null },
): Promise<number> {
  await requireRoom(trx, account);
  const given = input.name === undefined ? undefined : databaseNameFor(account.linux_user, input.name);
  for (let tried = 0; tried < RANDOM_NAMES_TRIED; tried++) {
    const db_name = given ?? randomName(account);
    if (db_name === undefined) continue;
    const now = ctx.now();
    const id = await tryInsertDatabase(trx, {
      account_id: account.id,
      name: input.name ?? db_name,
      db_name,
      sealed_password: ctx.sealer.seal('database-password', newDatabasePassword()),
      app_id: input.app_id,
      created_at: now,
      updated_at: now,
    });
    if (id !== undefined) return id;
    if (given !== undefined) throw invalidField('name', recordSentences.taken('name'));
  }
  throw new DomainError('unavailable', 'No free database name was found. Try again.');
}

function randomName({ linux_user }: AccountRow): string | undefined {
  return databaseNameFor(linux_user, randomCharacters(LOWERCASE_AND_DIGITS, DATABASE_SUFFIX_CHARACTERS));
}

/**
 * Databases that are being removed do not count against the limit, but a node accepts only a fixed number per account,
 * including these. Checked before the name, so an account at its limit is not asked for another name.
 */
async function requireRoom(trx: Transaction<Database>, account: AccountRow): Promise<void> {
  const { all, kept } = await countRecords(trx, 'databases', account.id);
  if (kept >= account.max_databases || all >= DATABASES_PER_ACCOUNT)
    throw new DomainError(
      'quota_exceeded',
      `Database limit reached (${Math.min(account.max_databases, DATABASES_PER_ACCOUNT)}).`,
    );
}
