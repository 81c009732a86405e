import { isIP } from 'node:net';
import { type CertificateAuthority, signEndCertificate } from './certificate-authority.ts';
import { generatePrivateKeyPem, keyPairOf } from './key-pair.ts';
import { ExtendedKeyUsage, ExtendedKeyUsageExtension, SubjectAlternativeNameExtension } from './x509.ts';

export interface ServerCertificate {
  /** The certificate and the CA's, so that a joining node can find the CA by its fingerprint. */
  chainPem: string;
  keyPem: string;
}

/**
 * Signs a server certificate for these names and addresses. Generates a new key if none is given. Throws RangeError
 * without names and addresses.
 */
export async function signServerCertificate(
  authority: CertificateAuthority,
  {
    hosts,
    lifetimeMs,
    now = new Date(),
    keyPem = generatePrivateKeyPem(),
  }: { hosts: readonly string[]; lifetimeMs: number; now?: Date; keyPem?: string },
): Promise<ServerCertificate> {
  const [first] = hosts;
  if (first === undefined) throw new RangeError('A server certificate needs a host name or address.');
  const certificatePem = await signEndCertificate(authority, {
    subject: 'CN=Innkeeper control plane',
    publicKey: keyPairOf(keyPem).publicKey,
    lifetimeMs,
    now,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth], true),
      new SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host })),
      ),
    ],
  });
  return { chainPem: certificatePem + authority.certificatePem, keyPem };
}
