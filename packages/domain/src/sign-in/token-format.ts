import { crc32 } from 'node:zlib';

/**
 * The text form of an API token: `ik_`, 32 random base62 characters, and six more with the CRC-32 of all characters
 * before them. The checksum detects a typing error or random garbage without a database query, and lets a scanner of
 * leaked secrets recognise a token. It proves nothing.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'ik_';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const form = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Creates the text of a token. `randomBelow(n)` returns an unpredictable integer from 0 to n - 1. */
export function makeApiToken(randomBelow: (limit: number) => number): string {
  let text = PREFIX;
  for (let i = 0; i < SECRET_LENGTH; i++) text += ALPHABET.charAt(randomBelow(ALPHABET.length));
  return text + checksum(text);
}

/** Whether a text can be a token: checks its form and its checksum. */
export function isApiToken(text: string): boolean {
  return form.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
