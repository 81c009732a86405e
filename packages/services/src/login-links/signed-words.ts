import type { LoginDestination } from '@innkeeper/domain';
import type { SignedWords } from '../secrets/signer.ts';

/** The signed content of a login link: all its fields, including the absent ones. */
export function signedWords(
  userId: number,
  expires: number,
  { target, app_id, domain_id }: LoginDestination,
): SignedWords {
  return [userId, expires, target, app_id, domain_id];
}
