import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { takeTurns } from './take-turns.ts';

const derive = promisify(argon2);

/** OWASP's second argon2id setting: 19 MiB, two passes, one lane; some 25 ms of one core. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** At most two are made at once, whoever asks: more would take memory and the cores from every request. */
const inTurn = takeTurns(2);

/** The argon2id hash of a panel password, as a PHC string. Every call has a salt of its own. */
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
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(hash)}`;
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
