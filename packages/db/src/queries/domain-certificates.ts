import type { Selectable, Transaction } from 'kysely';
import type { Database, DomainsTable } from '../schema/index.ts';

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
  | 'ssl_status'
  | 'ssl_issuer'
  | 'ssl_expires_at'
  | 'ssl_issued_at'
  | 'ssl_error'
  | 'ssl_failing_since'
  | 'ssl_next_attempt_at'
>;
