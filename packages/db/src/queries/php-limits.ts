import { initialPhpLimits, type PhpLimits } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

const ONLY = 1;

/** What the operator allows owners of sites to set for PHP. */
export async function getPhpLimits(db: Kysely<Database>): Promise<PhpLimits> {
  const row = await db
    .selectFrom('php_limits')
    .select(['memory_limit_mb', 'upload_mb', 'execution_s', 'input_vars', 'display_errors'])
    .where('id', '=', ONLY)
    .executeTakeFirst();
  return row === undefined ? initialPhpLimits : { ...row, display_errors: row.display_errors === 1 };
}

export async function storePhpLimits(
  trx: Transaction<Database>,
  { display_errors, ...numbers }: PhpLimits,
  now: Date,
): Promise<void> {
  const row = { ...numbers, display_errors: Number(display_errors), updated_at: now };
  await trx
    .insertInto('php_limits')
    .values({ id: ONLY, ...row })
    .onDuplicateKeyUpdate(row)
    .execute();
}
