import { createPrivateKey, randomBytes, type webcrypto, X509Certificate } from 'node:crypto';
import { fingerprintOf } from './fingerprint.ts';
import { generatePrivateKeyPem, keyPairOf, SIGNING_ALGORITHM } from './key-pair.ts';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from './x509.ts';

const YEAR_MS = 365 * 24 * 3_600_000;
const CA_NAME = 'CN=Innkeeper CA';
const LIFETIME_MS = 10 * YEAR_MS;

/** Certificates start this many ms in the past, for peers whose clocks are late. */
const BACKDATED_MS = 5 * 60_000;

export interface CertificateAuthority {
  certificatePem: string;
  certificate: X509Certificate;
  fingerprint: string;
  keys: webcrypto.CryptoKeyPair;
}

/** A self-signed CA certificate for this key, valid for ten years, for signing end certificates only. */
export async function makeCaCertificate(keyPem: string, now = new Date()): Promise<string> {
  const keys = keyPairOf(keyPem);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: CA_NAME,
    keys,
    serialNumber: newSerialNumber(),
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: new Date(now.getTime() + LIFETIME_MS),
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

/** Creates an authority with a new key. */
export async function createCertificateAuthority(
  now = new Date(),
): Promise<{ certificatePem: string; keyPem: string }> {
  const keyPem = generatePrivateKeyPem();
  return { certificatePem: await makeCaCertificate(keyPem, now), keyPem };
}

/** Loads an authority from its certificate and key. Throws if the two do not match. */
export function loadCertificateAuthority(certificatePem: string, keyPem: string): CertificateAuthority {
  const certificate = new X509Certificate(certificatePem);
  const keys = keyPairOf(keyPem);
  if (!certificate.checkPrivateKey(createPrivateKey(keyPem)))
    throw new Error('The CA certificate does not belong to the CA key.');
  return { certificatePem, certificate, fingerprint: fingerprintOf(certificate.raw), keys };
}

export interface EndCertificate {
  subject: string;
  publicKey: webcrypto.CryptoKey;
  lifetimeMs: number;
  now: Date;
  extensions: Extension[];
}

/** Signs one end certificate; returns it in PEM. */
export async function signEndCertificate(
  authority: CertificateAuthority,
  { subject, publicKey, lifetimeMs, now, extensions }: EndCertificate,
): Promise<string> {
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: CA_NAME,
    publicKey,
    signingKey: authority.keys.privateKey,
    serialNumber: newSerialNumber(),
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: new Date(now.getTime() + lifetimeMs),
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(authority.keys.publicKey),
      ...extensions,
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

/** 127 random bits: never negative, never repeated. */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('hex');
}
