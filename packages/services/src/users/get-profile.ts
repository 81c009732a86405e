import { countRecoveryCodes, findUserProfile } from '@innkeeper/db';
import { DomainError, type Role } from '@innkeeper/domain';
import type { UserContext } from '../panel-context.ts';

/** The profile of a panel user, as shown to that user. */
export interface Profile {
  username: string;
  name: string;
  email: string;
  role: Role;
  /** Null: there is no second factor; the password is enough. */
  second_factor: { enabled_at: Date; locked_at: Date | null; recovery_codes_left: number } | null;
}

export async function getProfile(ctx: UserContext): Promise<Profile> {
  const { userId } = ctx.actor;
  const user = await findUserProfile(ctx.db, userId);
  if (user === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
  const { totp_confirmed_at: enabled_at, totp_locked_at: locked_at, ...profile } = user;
  if (enabled_at === null) return { ...profile, second_factor: null };
  const recovery_codes_left = await countRecoveryCodes(ctx.db, userId);
  return { ...profile, second_factor: { enabled_at, locked_at, recovery_codes_left } };
}
