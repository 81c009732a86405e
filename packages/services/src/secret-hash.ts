import { createHash } from 'node:crypto';

/**
 * SHA-256 of a secret that this program made from at least 80 random bits, as it is stored. Too fast for
 * anything that a person chose: those go through `hashPassword`.
 */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
