import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DomainError } from '@innkeeper/domain';
import { takeTurns } from './take-turns.ts';

const derive = promisify(argon2);

/** OWASP's second argon2id setting: 19 MiB, two passes, one lane; about 25 ms on one core. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** At most two hashes run at once in the process: more would take memory and CPU from other requests. */
const inTurn = takeTurns(2);

/**
 * Anyone can send a password to verify. Verifications run one at a time, so that creating accounts is never blocked.
 * The queue is limited to about 3 s of work.
 */
const atTheDoor = takeTurns(1, {
  maxWaiting: 100,
  refuse: () => new DomainError('unavailable', 'Too many sign-ins at once. Try again later.'),
});

/** The argon2id hash of a panel password, as a PHC string. Every call uses a new salt. */
export function hashPanelPassword(password: string): Promise<string> {
  return inTurn(async () => {
    const salt = randomBytes(SALT_BYTES);
    const hash = await derive('argon2id', {
      message: password,
      nonce: salt,
      memory: MEMORY_KIB,
      passes: PASSES,
      parallelism: LANES,
      tagLength: HASH_BYTES,
    });
    return phcString(salt, hash);
  });
}

/**
 * A hash that matches no password. It is compared if the user does not exist, so that the response takes the same time.
 * It is also stored for a user without a password.
 */
export const nobodysPasswordHash = phcString(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

/**
 * Returns whether a PHC string was made from this password, with the cost parameters in the string. Constant-time
 * comparison. Throws TypeError for a string that is not argon2id, and `unavailable` if too many verifications wait.
 */
export async function verifyPanelPassword(password: string, phc: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc);
  if (parts === null) throw new TypeError('The stored password hash is not an argon2id PHC string.');
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts;
  const expected = Buffer.from(hash, 'base64');
  const again = () =>
    derive('argon2id', {
      message: password,
      nonce: Buffer.from(salt, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    });
  const actual = await atTheDoor(() => inTurn(again));
  return timingSafeEqual(actual, expected);
}

function phcString(salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
