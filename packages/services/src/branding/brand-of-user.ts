import { type Database, findBrand, INSTALLATION_SCOPE, type MailRecipient } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { type Brand, productBrand } from './brands.ts';

/** The brand of a user's mails: that of its reseller, else the installation's. */
export async function brandOfUser(
  db: Kysely<Database>,
  { id, role, reseller_user_id }: Pick<MailRecipient, 'id' | 'role' | 'reseller_user_id'>,
): Promise<Brand> {
  const reseller = role === 'reseller' ? id : reseller_user_id;
  const own = reseller === null ? undefined : await findBrand(db, reseller);
  return own ?? (await findBrand(db, INSTALLATION_SCOPE)) ?? productBrand;
}
