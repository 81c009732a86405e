import { randomInt } from 'node:crypto';
import { BASE64_ALPHABET, sha512Crypt } from './sha512-crypt.ts';

const SALT_CHARACTERS = 16;

/**
 * The crypt(3) hash of a Linux password (`$6$salt$...`, 5000 rounds), with a new salt. The password has at most
 * PASSWORD_MAX_BYTES bytes, because the work grows with the length.
 */
export function hashLinuxPassword(password: string): Promise<string> {
  let salt = '';
  for (let i = 0; i < SALT_CHARACTERS; i++) salt += BASE64_ALPHABET.charAt(randomInt(BASE64_ALPHABET.length));
  return sha512Crypt(password, salt);
}
