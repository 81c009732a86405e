import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Database, DomainsTable } from '../schema/index.ts';

/** Even with errors of maximum length a statement of this many rows stays far below every server's limit. */
const changesInOneStatement = 200;

/**
 * Stores the wanted revision of a certificate and its status. The status `active` means that the
 * active certificate stays. The caller has locked the account.
 */
export async function requestCertificate(
  trx: Transaction<Database>,
  domainId: number,
  wanted: {
    certificate_revision: number;
    ssl_status: 'pending';
  },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ ...wanted, ssl_error: null, updated_at: now })
    .where('id', '=', domainId)
    .execute();
}

export type CertificateColumns = Pick<
  Selectable<DomainsTable>,
  'ssl_status' | 'ssl_issuer' | 'ssl_expires_at' | 'ssl_issued_at' | 'ssl_error'
>;

/** Stores the changed certificates of an account's domains, in batches of `changesInOneStatement`. */
export async function storeCertificates(
  trx: Transaction<Database>,
  accountId: number,
  changes: readonly (CertificateColumns & { id: number })[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < changes.length; start += changesInOneStatement) {
    const batch = changes.slice(start, start + changesInOneStatement);
    const newValue = <C extends keyof CertificateColumns>(column: C): RawBuilder<CertificateColumns[C]> =>
      sql`case id ${sql.join(
        batch.map((change) => sql`when ${change.id} then ${change[column]}`),
        sql` `,
      )} end`;
    await trx
      .updateTable('domains')
      .set({
        ssl_status: newValue('ssl_status'),
        ssl_issuer: newValue('ssl_issuer'),
        ssl_expires_at: newValue('ssl_expires_at'),
        ssl_issued_at: newValue('ssl_issued_at'),
        ssl_error: newValue('ssl_error'),
        updated_at: now,
      })
      .where('account_id', '=', accountId)
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute();
  }
}
