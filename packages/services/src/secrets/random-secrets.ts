import { createHash, randomInt } from 'node:crypto';

/** Returns `length` characters of the alphabet, uniformly distributed. */
export function randomCharacters(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet.charAt(randomInt(alphabet.length));
  return text;
}

export const LOWERCASE_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
export const LETTERS_AND_DIGITS = LOWERCASE_AND_DIGITS + 'abcdefghijklmnopqrstuvwxyz'.toUpperCase();

/**
 * SHA-256 of a secret, for storage. Only for secrets that this program made from at least 80 random bits. Too fast for
 * secrets that a person chose: those use `hashPanelPassword`.
 */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
