import { createHash } from 'node:crypto';

/** SHA-256 of a public key, as OpenSSH shows it: `SHA256:` and Base64. `line` is `type base64`. */
export function fingerprintOf(line: string): string {
  const [, base64 = ''] = line.split(' ');
  const hash = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
}
