import { randomInt } from 'node:crypto';

/** Returns `length` characters of the alphabet, uniformly distributed. */
export function randomCharacters(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet.charAt(randomInt(alphabet.length));
  return text;
}

export const LOWERCASE_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
