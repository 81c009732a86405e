import { type StaffRole, staffRoles } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

/** A person of the staff. */
export interface StaffRow {
  id: number;
  username: string;
  name: string;
  email: string;
  role: StaffRole;
  password_hash: string;
  disabled_at: Date | null;
  invited_at: Date | null;
  totp_confirmed_at: Date | null;
  created_at: Date;
}

/** All staff, ordered by name. Finds it by the table of staff email addresses, not by reading all end users. */
export async function findStaff(db: Kysely<Database>): Promise<StaffRow[]> {
  return await staff(db).orderBy('users.username').execute();
}

/**
 * Locks the whole staff, in the order of its ids, and returns it. So changes of roles come one after the other, and each
 * sees how many admins are left.
 */
export async function lockStaff(trx: Transaction<Database>): Promise<StaffRow[]> {
  return await staff(trx).orderBy('users.id').forUpdate().execute();
}

function staff(db: Kysely<Database>) {
  return db
    .selectFrom('staff_emails')
    .innerJoin('users', 'users.id', 'staff_emails.user_id')
    .select(['users.id', 'users.username', 'users.name', 'users.email', 'users.role', 'users.password_hash'])
    .select(['users.disabled_at', 'users.invited_at', 'users.totp_confirmed_at', 'users.created_at'])
    .where('users.role', 'in', staffRoles)
    .$narrowType<{ role: StaffRole }>();
}

/** One person of the staff, without a lock. */
export async function findStaffById(db: Kysely<Database>, id: number): Promise<StaffRow | undefined> {
  return await staff(db).where('users.id', '=', id).executeTakeFirst();
}

export async function updateStaff(
  trx: Transaction<Database>,
  id: number,
  change: Partial<Pick<StaffRow, 'role' | 'password_hash' | 'disabled_at' | 'invited_at'>> & {
    updated_at: Date;
  },
): Promise<void> {
  await trx.updateTable('users').set(change).where('id', '=', id).execute();
}

/** Frees the name and email address of a person. The row stays for the names in the audit log. */
export async function retireStaff(
  trx: Transaction<Database>,
  { id, password_hash, now }: { id: number; password_hash: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      removed_at: now,
      disabled_at: now,
      invited_at: null,
      email_lower: `removed:${id}`,
      password_hash,
      totp_sealed_secret: null,
      totp_confirmed_at: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', id).execute();
  await trx.deleteFrom('usernames').where('user_id', '=', id).execute();
  await trx.deleteFrom('staff_emails').where('user_id', '=', id).execute();
}

/** Ids of a user's tokens that are not revoked. */
export async function findLiveTokenIds(trx: Transaction<Database>, userId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('api_tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}
