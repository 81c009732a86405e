import { type Database, findStaffUser, type StaffUser } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';

/** The reseller with this name. Throws DomainError `not_found`. */
export async function getReseller(db: Kysely<Database>, username: string): Promise<StaffUser> {
  const user = await findStaffUser(db, username.trim().toLowerCase());
  if (user?.role !== 'reseller')
    throw new DomainError('not_found', `There is no reseller "${username.slice(0, 50)}".`);
  return user;
}
