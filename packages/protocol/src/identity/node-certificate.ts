import { X509Certificate } from 'node:crypto';
import { type CertificateAuthority, signEndCertificate } from './certificate-authority.ts';
import { publicKeyOfCsr } from './csr.ts';
import { ExtendedKeyUsage, ExtendedKeyUsageExtension } from './x509.ts';

export const NODE_CERTIFICATE_LIFETIME_MS = 24 * 3_600_000;

/**
 * A client certificate for a node, named `node-<id>`, valid for 24 hours. What the request says of its
 * subject is ignored. Throws DomainError `invalid` for a request that is malformed or not self-signed.
 */
export async function signNodeCertificate(
  authority: CertificateAuthority,
  { csrPem, nodeId, now = new Date() }: { csrPem: string; nodeId: number; now?: Date },
): Promise<{ certificatePem: string; expiresAt: Date }> {
  const certificatePem = await signEndCertificate(authority, {
    subject: `CN=node-${nodeId}`,
    publicKey: await publicKeyOfCsr(csrPem),
    lifetimeMs: NODE_CERTIFICATE_LIFETIME_MS,
    now,
    extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth], true)],
  });
  return { certificatePem, expiresAt: new Date(now.getTime() + NODE_CERTIFICATE_LIFETIME_MS) };
}

export type PeerVerdict = { nodeId: number } | { refusal: string };

const CLIENT_AUTH_OID = '1.3.6.1.5.5.7.3.2';

/** Whose certificate a TLS peer presented (DER; undefined: none), or why it is not believed. */
export function verifyPeer(
  raw: Uint8Array | undefined,
  authority: CertificateAuthority,
  now = new Date(),
): PeerVerdict {
  if (raw === undefined) return { refusal: 'a client certificate is required' };
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(raw);
  } catch {
    return { refusal: 'the client certificate is malformed' };
  }
  const issuer = authority.certificate;
  if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
    return { refusal: 'the client certificate is of another authority' };
  if (now < certificate.validFromDate) return { refusal: 'the client certificate is not valid yet' };
  if (now > certificate.validToDate) return { refusal: 'the client certificate has expired' };
  if (certificate.ca || !certificate.keyUsage?.includes(CLIENT_AUTH_OID))
    return { refusal: 'the certificate is not one of a node' };
  const nodeId = Number(/^CN=node-([1-9]\d{0,15})$/.exec(certificate.subject)?.[1]);
  if (!Number.isSafeInteger(nodeId)) return { refusal: 'the client certificate names no node' };
  return { nodeId };
}
