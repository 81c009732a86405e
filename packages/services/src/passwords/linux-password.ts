import { randomInt } from 'node:crypto';
import { BASE64_ALPHABET, FEWEST_ROUNDS, sha512Crypt } from './sha512-crypt.ts';

const SALT_CHARACTERS = 16;

/**
 * The crypt(3) hash of a Linux password (`$6$salt$...`, 5000 rounds), with a new salt. The password has at most
 * PASSWORD_MAX_BYTES bytes, because the work grows with the length.
 */
export function hashLinuxPassword(password: string): Promise<string> {
  return sha512Crypt(password, newSalt());
}

/**
 * The crypt(3) hash of a password of a site's visitors, with the fewest rounds that crypt(3) has: nginx verifies it for
 * each request, and serves nobody else meanwhile.
 */
export function hashSitePassword(password: string): Promise<string> {
  return sha512Crypt(password, newSalt(), FEWEST_ROUNDS);
}

function newSalt(): string {
  let salt = '';
  for (let i = 0; i < SALT_CHARACTERS; i++) salt += BASE64_ALPHABET.charAt(randomInt(BASE64_ALPHABET.length));
  return salt;
}
