import type { webcrypto } from 'node:crypto';
import { DomainError } from '@innkeeper/domain';
import { KEY_ALGORITHM, keyPairOf, SIGNING_ALGORITHM } from './key-pair.ts';
import { Pkcs10CertificateRequest, Pkcs10CertificateRequestGenerator } from './x509.ts';

/** Far larger than any request with a P-256 key. Longer texts are rejected before parsing. */
const MAX_CSR_CHARACTERS = 8_192;

/** Creates a request (PKCS #10, PEM) for a certificate of this private key. The signer chooses the name. */
export async function makeCsr(privateKeyPem: string): Promise<string> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys: keyPairOf(privateKeyPem),
    signingAlgorithm: SIGNING_ALGORITHM,
  });
  return `${request.toString('pem')}\n`;
}

/** Throws the errors of publicKeyOfCsr. */
export async function checkCsr(csrPem: string): Promise<void> {
  await publicKeyOfCsr(csrPem);
}

/** The public key of a request whose signature proves possession of the private key. Throws DomainError `invalid`. */
export async function publicKeyOfCsr(csrPem: string): Promise<webcrypto.CryptoKey> {
  if (csrPem.length > MAX_CSR_CHARACTERS) throw new DomainError('invalid', 'csr_pem is too long.');
  try {
    const request = new Pkcs10CertificateRequest(csrPem);
    const publicKey = await request.publicKey.export(KEY_ALGORITHM, ['verify']);
    if (await request.verify()) return publicKey;
  } catch (cause) {
    throw new DomainError('invalid', 'csr_pem is not a PKCS #10 request with an ECDSA P-256 key.', { cause });
  }
  throw new DomainError('invalid', 'csr_pem is not signed by its own key.');
}
