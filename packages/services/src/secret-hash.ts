import { createHash } from 'node:crypto';

/**
 * SHA-256 of a secret, for storage. Only for secrets that this program made from at least 80 random bits. Too fast for
 * secrets that a person chose: those use `hashPanelPassword`.
 */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
