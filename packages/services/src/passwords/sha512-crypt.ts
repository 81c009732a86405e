/**
 * SHA-crypt with SHA-512 (`$6$`), the format that glibc and libxcrypt read in /etc/shadow, after Ulrich Drepper's
 * public-domain specification "Unix crypt using SHA-256 and SHA-512" (2007). The code cites its step numbers.
 * Implemented here instead of using npm: for every password whose length is a multiple of 64 bytes, `unixcrypt` 3.0.4
 * makes a hash that no login accepts, and it blocks the event loop for all its rounds.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The digits of crypt's own base 64, from 0 to 63. */
export const BASE64_ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const DIGEST_BYTES = 64;
const DEFAULT_ROUNDS = 5_000;
export const FEWEST_ROUNDS = 1_000;
/** About 0.5 ms of work. After that the event loop serves other requests. */
const ROUNDS_IN_A_TURN = 250;

/** `salt`: 1-16 characters of BASE64_ALPHABET. */
export async function sha512Crypt(password: string, salt: string, rounds = DEFAULT_ROUNDS): Promise<string> {
  const key = Buffer.from(password);
  const seed = Buffer.from(salt);
  const start = startingDigest(key, seed);
  const keySequence = stretch(sha512(...repeat(key, key.length)), key.length); // 13-16
  const seedSequence = stretch(sha512(...repeat(seed, 16 + (start[0] ?? 0))), seed.length); // 17-20

  let digest = start; // 21
  for (let round = 0; round < rounds; round++) {
    const odd = round % 2 === 1;
    const parts = [odd ? keySequence : digest];
    if (round % 3 !== 0) parts.push(seedSequence);
    if (round % 7 !== 0) parts.push(keySequence);
    parts.push(odd ? digest : keySequence);
    digest = sha512(...parts);
    if (round % ROUNDS_IN_A_TURN === ROUNDS_IN_A_TURN - 1) await nextTurn();
  }
  const said = rounds === DEFAULT_ROUNDS ? '' : `rounds=${rounds}$`;
  return `$6$${said}${salt}$${encode(digest)}`;
}

/** Steps 1-12. */
function startingDigest(key: Buffer, seed: Buffer): Buffer {
  const inner = sha512(key, seed, key);
  const parts = [key, seed, stretch(inner, key.length)];
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits % 2 === 1 ? inner : key);
  return sha512(...parts);
}

function sha512(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Repeats the digest up to this many bytes. */
function stretch(digest: Buffer, bytes: number): Buffer {
  return Buffer.alloc(bytes, digest);
}

function repeat(part: Buffer, times: number): Buffer[] {
  return Array.from({ length: times }, () => part);
}

/** Step 22: three bytes become four digits, the lowest six bits first. The bytes come from each third of the digest. */
function encode(digest: Buffer): string {
  const third = (DIGEST_BYTES - 1) / 3;
  let text = '';
  for (let i = 0; i < third; i++) {
    const places = [i, i + third, i + 2 * third];
    const [high, middle, low] = [0, 1, 2].map((turn) => digest[places[(turn + i) % 3] ?? 0] ?? 0);
    text += digits(((high ?? 0) << 16) | ((middle ?? 0) << 8) | (low ?? 0), 4);
  }
  return text + digits(digest[DIGEST_BYTES - 1] ?? 0, 2);
}

function digits(value: number, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += BASE64_ALPHABET.charAt((value >> (6 * i)) & 63);
  return text;
}
