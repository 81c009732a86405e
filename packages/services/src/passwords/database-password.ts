import { LOWERCASE_AND_DIGITS, randomCharacters } from '../random-characters.ts';

const LETTERS_AND_DIGITS = LOWERCASE_AND_DIGITS + 'abcdefghijklmnopqrstuvwxyz'.toUpperCase();
const CHARACTERS = 32;

/** A password that DATABASE_PASSWORD_PATTERN takes; 190 bits. */
export function newDatabasePassword(): string {
  return randomCharacters(LETTERS_AND_DIGITS, CHARACTERS);
}
