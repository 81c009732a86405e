import { LETTERS_AND_DIGITS, randomCharacters } from '../secrets/random-secrets.ts';

const CHARACTERS = 20;

/** A new password for a person: 20 letters and digits, 119 random bits. The caller shows it once and never stores it. */
export function generatePassword(): string {
  return randomCharacters(LETTERS_AND_DIGITS, CHARACTERS);
}
