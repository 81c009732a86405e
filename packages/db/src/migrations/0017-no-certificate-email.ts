import { type Kysely, sql } from 'kysely';

/**
 * Specs have no contact address of a certificate any more. An account whose spec had one gets a new generation: an
 * agent refuses a generation that it knows with other content. The release before still reads the column, and sends the
 * same specs once it is empty. A later release drops it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`update accounts set generation = generation + 1 where id in
      (select account_id from domains where certificate_email <> '')`.execute(trx);
    await sql`update domains set certificate_email = null where certificate_email is not null`.execute(trx);
  });
}
