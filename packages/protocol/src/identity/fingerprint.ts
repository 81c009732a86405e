import { createHash, X509Certificate } from 'node:crypto';

/** SHA-256 of a certificate, 64 hex digits. Takes DER or PEM. */
export function fingerprintOf(certificate: Uint8Array | string): string {
  const der = typeof certificate === 'string' ? new X509Certificate(certificate).raw : certificate;
  return createHash('sha256').update(der).digest('hex');
}
