import { X509Certificate } from 'node:crypto';
import { type CertificateAuthority, signEndCertificate } from './certificate-authority.ts';
import { publicKeyOfCsr } from './csr.ts';
import { ExtendedKeyUsage, ExtendedKeyUsageExtension, SubjectAlternativeNameExtension } from './x509.ts';

export const NODE_CERTIFICATE_LIFETIME_MS = 24 * 3_600_000;

/** Identifies one certificate among all certificates of a node. */
export interface CertificateIssue {
  /** Raised by each enrolment and revocation of the node. Certificates of an older epoch are rejected. */
  epoch: number;
  /** Number of the certificate, increasing over all epochs of the node. */
  number: number;
}

/** Issue of certificates from releases that did not write epochs. */
const FIRST_ISSUE: CertificateIssue = { epoch: 0, number: 0 };

/**
 * Signs a client certificate for a node, named `node-<id>`, valid for 24 hours, with its issue as a URI in the subject
 * alternative name. The subject in the request is ignored. `issue: null` writes no issue, like releases before epochs.
 * Throws DomainError `invalid` for a request that is malformed or not self-signed.
 */
export async function signNodeCertificate(
  authority: CertificateAuthority,
  request: { csrPem: string; nodeId: number; issue?: CertificateIssue | null; now?: Date },
): Promise<{ certificatePem: string; expiresAt: Date }> {
  const { csrPem, nodeId, issue = FIRST_ISSUE, now = new Date() } = request;
  const certificatePem = await signEndCertificate(authority, {
    subject: `CN=node-${nodeId}`,
    publicKey: await publicKeyOfCsr(csrPem),
    lifetimeMs: NODE_CERTIFICATE_LIFETIME_MS,
    now,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth], true),
      ...(issue === null
        ? []
        : [new SubjectAlternativeNameExtension([{ type: 'url', value: issueUri(nodeId, issue) }])]),
    ],
  });
  return { certificatePem, expiresAt: new Date(now.getTime() + NODE_CERTIFICATE_LIFETIME_MS) };
}

export interface NodePeer {
  nodeId: number;
  /** `{ epoch: 0, number: 0 }` for a certificate without an issue. */
  issue: CertificateIssue;
}

export type PeerVerdict = NodePeer | { refusal: string };

const CLIENT_AUTH_OID = '1.3.6.1.5.5.7.3.2';

/** Verifies a TLS peer's certificate (DER; undefined: none). Returns its node, or the reason why it is rejected. */
export type VerifyPeer = (raw: Uint8Array | undefined, now?: Date) => PeerVerdict;

/** Certificates that `createVerifyPeer` remembers. */
const REMEMBERED = 1_000;

/**
 * Remembers the certificates that the authority has issued to nodes: what a signature covers never changes. Only their
 * dates are compared at every call.
 */
export function createVerifyPeer(authority: CertificateAuthority): VerifyPeer {
  const issued = new Map<string, IssuedCertificate>();
  return (raw, now = new Date()) => {
    if (raw === undefined) return { refusal: 'a client certificate is required' };
    const content = Buffer.from(raw).toString('latin1');
    const certificate = issued.get(content) ?? readIssued(raw, authority);
    if ('refusal' in certificate) return certificate;
    if (!issued.has(content)) {
      const [oldest] = issued.keys();
      if (issued.size >= REMEMBERED && oldest !== undefined) issued.delete(oldest);
      issued.set(content, certificate);
    }
    if (now < certificate.from) return { refusal: 'the client certificate is not valid yet' };
    if (now > certificate.until) return { refusal: 'the client certificate has expired' };
    return certificate.peer;
  };
}

/** Verifies one certificate. */
export function verifyPeer(
  raw: Uint8Array | undefined,
  authority: CertificateAuthority,
  now?: Date,
): PeerVerdict {
  return createVerifyPeer(authority)(raw, now);
}

/** A node's certificate that the authority has signed. */
interface IssuedCertificate {
  peer: NodePeer;
  from: Date;
  until: Date;
}

function readIssued(
  raw: Uint8Array,
  { certificate: issuer }: CertificateAuthority,
): IssuedCertificate | { refusal: string } {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(raw);
  } catch {
    return { refusal: 'the client certificate is malformed' };
  }
  if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
    return { refusal: 'the client certificate is of another authority' };
  if (certificate.ca || !certificate.keyUsage?.includes(CLIENT_AUTH_OID))
    return { refusal: 'the certificate is not one of a node' };
  const nodeId = Number(/^CN=node-([1-9]\d{0,15})$/.exec(certificate.subject)?.[1]);
  if (!Number.isSafeInteger(nodeId)) return { refusal: 'the client certificate names no node' };
  const issue = issueOf(certificate.subjectAltName, nodeId);
  if (issue === undefined) return { refusal: 'the issue of the client certificate is malformed' };
  return { peer: { nodeId, issue }, from: certificate.validFromDate, until: certificate.validToDate };
}

function issueUri(nodeId: number, { epoch, number }: CertificateIssue): string {
  return `urn:innkeeper:node:${nodeId}:epoch:${epoch}:certificate:${number}`;
}

const ISSUE_PATTERN = /^URI:urn:innkeeper:node:(\d{1,16}):epoch:(\d{1,15}):certificate:(\d{1,15})$/;

function issueOf(subjectAltName: string | undefined, nodeId: number): CertificateIssue | undefined {
  if (subjectAltName === undefined) return FIRST_ISSUE;
  const match = ISSUE_PATTERN.exec(subjectAltName);
  if (match === null || Number(match[1]) !== nodeId) return undefined;
  return { epoch: Number(match[2]), number: Number(match[3]) };
}
