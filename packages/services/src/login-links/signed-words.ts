import type { LoginDestination } from '@innkeeper/domain';
import type { SignedWords } from '../secrets/signer.ts';

/** What the signature of a login link covers: everything that the link says, and that it says no more. */
export function signedWords(
  userId: number,
  expires: number,
  { target, app_id, domain_id }: LoginDestination,
): SignedWords {
  return [userId, expires, target, app_id, domain_id];
}
