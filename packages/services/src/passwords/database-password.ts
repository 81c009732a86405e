import { LETTERS_AND_DIGITS, randomCharacters } from '../secrets/random-secrets.ts';

const CHARACTERS = 32;

/** A new password that matches DATABASE_PASSWORD_PATTERN; 190 random bits. */
export function newDatabasePassword(): string {
  return randomCharacters(LETTERS_AND_DIGITS, CHARACTERS);
}
