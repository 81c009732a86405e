import { randomInt } from 'node:crypto';

/** `length` characters of the alphabet, each as likely as the others. */
export function randomCharacters(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet.charAt(randomInt(alphabet.length));
  return text;
}

export const LOWERCASE_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
