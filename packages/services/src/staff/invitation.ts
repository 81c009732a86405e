import type { StaffRow } from '@innkeeper/db';
import type { Signer } from '../secrets/signer.ts';
import { later } from '../sessions/session-lifetime.ts';

/**
 * The parts of a link with which a person sets its first password. It works once: it is signed over the stored hash,
 * which the password replaces, and over the time of the invitation, which a newer link replaces.
 */
export interface Invitation {
  user_id: number;
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

const LIFETIME_MS = 48 * 3_600_000;

export function makeInvitation(
  signer: Signer,
  user: Pick<StaffRow, 'id' | 'password_hash'> & { invited_at: Date },
): Invitation {
  const expires = Math.floor(later(user.invited_at, LIFETIME_MS).getTime() / 1_000);
  return { user_id: user.id, expires, signature: signer.sign('invitation', signedWords(user, expires)) };
}

/** Whether the link is the newest one of the person and has not expired. */
export function isInvitation(
  signer: Signer,
  user: Pick<StaffRow, 'id' | 'password_hash' | 'invited_at'>,
  { expires, signature }: Invitation,
  now: Date,
): boolean {
  if (user.invited_at === null || expires * 1_000 <= now.getTime()) return false;
  return signer.verifies('invitation', signedWords(user, expires), signature);
}

function signedWords(
  { id, password_hash, invited_at }: Pick<StaffRow, 'id' | 'password_hash' | 'invited_at'>,
  expires: number,
) {
  return [id, password_hash, invited_at?.getTime() ?? null, expires] as const;
}

/** The path of the link in the panel. */
export function invitationPath({ user_id, expires, signature }: Invitation): string {
  return `/invitation/${user_id}?expires=${expires}&signature=${signature}`;
}
