import { randomInt } from 'node:crypto';
import { type Database, replaceRecoveryCodes } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import { hashSecret } from '../secrets/random-secrets.ts';

/** Base32 without characters that look alike. 80 random bits per code. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const CHARACTERS = 16;
const COUNT = 10;

/** Ten codes as displayed, `abcd-efgh-ijkl-mnop`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const characters = Array.from({ length: CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
    return characters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
  });
}

/** Replaces the user's recovery codes with ten new ones and returns them as displayed. Only their hashes are stored. */
export async function storeNewRecoveryCodes(
  trx: Transaction<Database>,
  userId: number,
  now: Date,
): Promise<string[]> {
  const codes = makeRecoveryCodes();
  const hashes = codes.map((shown) => hashSecret(readRecoveryCode(shown) ?? ''));
  await replaceRecoveryCodes(trx, userId, hashes, now);
  return codes;
}

/** Normalizes a typed code for hashing. Undefined for an invalid code. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return /^[a-z2-7]{16}$/.test(code) ? code : undefined;
}
