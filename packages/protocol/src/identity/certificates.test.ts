import { X509Certificate } from 'node:crypto';
import { DomainError } from '@innkeeper/domain';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
  signEndCertificate,
} from './certificate-authority.ts';
import { makeCsr } from './csr.ts';
import { fingerprintOf } from './fingerprint.ts';
import { generatePrivateKeyPem, keyPairOf } from './key-pair.ts';
import {
  createVerifyPeer,
  NODE_CERTIFICATE_LIFETIME_MS,
  signNodeCertificate,
  verifyPeer,
} from './node-certificate.ts';
import { signServerCertificate } from './server-certificate.ts';
import { ExtendedKeyUsage, ExtendedKeyUsageExtension } from './x509.ts';

const minuteMs = 60_000;
const now = new Date('2026-06-01T12:00:00Z');
const at = (offsetMs: number) => new Date(now.getTime() + offsetMs);

async function newAuthority(): Promise<CertificateAuthority> {
  const { certificatePem, keyPem } = await createCertificateAuthority(now);
  return loadCertificateAuthority(certificatePem, keyPem);
}

const der = (pem: string) => new X509Certificate(pem).raw;

let authority: CertificateAuthority;
beforeAll(async () => {
  authority = await newAuthority();
});

describe('the authority', () => {
  it('can sign end certificates and no further authority', () => {
    expect(authority.certificate.ca).toBe(true);
    expect(authority.certificate.toLegacyObject().issuer).toEqual({ CN: 'Innkeeper CA' });
    expect(authority.fingerprint).toBe(
      authority.certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    );
  });

  it('is not loaded with another authority’s key', async () => {
    const other = await createCertificateAuthority(now);
    expect(() => loadCertificateAuthority(authority.certificatePem, other.keyPem)).toThrow('belong');
  });
});

describe('a node certificate', () => {
  const certificateOf = async (nodeId: number, issuer = authority) => {
    const csrPem = await makeCsr(generatePrivateKeyPem());
    return der((await signNodeCertificate(issuer, { csrPem, nodeId, now })).certificatePem);
  };

  it('names its node, and only this name identifies the peer', async () => {
    expect(verifyPeer(await certificateOf(7), authority, now)).toEqual({
      nodeId: 7,
      issue: { epoch: 0, number: 0 },
    });
  });

  it('is for the key of the request and for clients only', async () => {
    const keyPem = generatePrivateKeyPem();
    const { certificatePem } = await signNodeCertificate(authority, {
      csrPem: await makeCsr(keyPem),
      nodeId: 1,
      now,
    });
    const certificate = new X509Certificate(certificatePem);
    const spki = await crypto.subtle.exportKey('spki', keyPairOf(keyPem).publicKey);
    expect(certificate.publicKey.export({ type: 'spki', format: 'der' })).toEqual(Buffer.from(spki));
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.ca).toBe(false);
  });

  it('is valid from five minutes ago for 24 hours', async () => {
    const raw = await certificateOf(7);
    expect(verifyPeer(raw, authority, at(-5 * minuteMs))).toEqual({
      nodeId: 7,
      issue: { epoch: 0, number: 0 },
    });
    expect(verifyPeer(raw, authority, at(-6 * minuteMs))).toEqual({
      refusal: 'the client certificate is not valid yet',
    });
    expect(verifyPeer(raw, authority, at(NODE_CERTIFICATE_LIFETIME_MS))).toEqual({
      nodeId: 7,
      issue: { epoch: 0, number: 0 },
    });
    expect(verifyPeer(raw, authority, at(NODE_CERTIFICATE_LIFETIME_MS + 1_000))).toEqual({
      refusal: 'the client certificate has expired',
    });
  });

  it('that is cached is refused outside its validity, and no other certificate is taken for it', async () => {
    const verify = createVerifyPeer(authority);
    const raw = await certificateOf(7);
    const accepted = { nodeId: 7, issue: { epoch: 0, number: 0 } };
    for (let call = 0; call < 2; call += 1) {
      expect(verify(raw, at(NODE_CERTIFICATE_LIFETIME_MS))).toEqual(accepted);
      expect(verify(raw, at(-6 * minuteMs))).toHaveProperty('refusal');
      expect(verify(raw, at(NODE_CERTIFICATE_LIFETIME_MS + 1_000))).toHaveProperty('refusal');
      const changed = Buffer.from(raw);
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      expect(verify(changed, now)).toHaveProperty('refusal');
      expect(verify(await certificateOf(8), now)).toEqual({ ...accepted, nodeId: 8 });
      expect(verify(await certificateOf(7, await newAuthority()), now)).toHaveProperty('refusal');
    }
  });

  it('of another authority with the same name is refused', async () => {
    expect(verifyPeer(await certificateOf(7, await newAuthority()), authority, now)).toEqual({
      refusal: 'the client certificate is of another authority',
    });
  });

  it('is required, well-formed', () => {
    expect(verifyPeer(undefined, authority, now)).toHaveProperty('refusal');
    expect(verifyPeer(Buffer.from('garbage'), authority, now)).toHaveProperty('refusal');
  });

  it('is neither the certificate of the authority nor of a server', async () => {
    expect(verifyPeer(authority.certificate.raw, authority, now)).toHaveProperty('refusal');
    const server = await signServerCertificate(authority, { hosts: ['a.test'], lifetimeMs: minuteMs, now });
    expect(verifyPeer(der(server.chainPem), authority, now)).toEqual({
      refusal: 'the certificate is not one of a node',
    });
  });

  it.each(['CN=node-0', 'CN=node-1, O=x', 'CN=node-01', 'CN=node-', 'CN=node-99999999999999999', 'CN=admin'])(
    'of the authority with the name %s is refused',
    async (subject) => {
      const pem = await signEndCertificate(authority, {
        subject,
        publicKey: keyPairOf(generatePrivateKeyPem()).publicKey,
        lifetimeMs: minuteMs,
        now,
        extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth], true)],
      });
      expect(verifyPeer(der(pem), authority, now)).toEqual({
        refusal: 'the client certificate names no node',
      });
    },
  );

  it.each(['', 'garbage', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'])(
    'is not made from the request %j',
    async (csrPem) => {
      await expect(signNodeCertificate(authority, { csrPem, nodeId: 1 })).rejects.toThrow(DomainError);
    },
  );

  it('is not signed for a request with a wrong signature', async () => {
    const csr = await makeCsr(generatePrivateKeyPem());
    const bytes = Buffer.from(csr.replace(/-----[A-Z ]+-----/g, ''), 'base64');
    const last = bytes.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    const csrPem = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    await expect(signNodeCertificate(authority, { csrPem, nodeId: 1 })).rejects.toThrow('its own key');
  });
});

describe('a server certificate', () => {
  it('is for its names and addresses, and carries the authority behind it', async () => {
    const { chainPem } = await signServerCertificate(authority, {
      hosts: ['panel.example.com', '10.77.0.1'],
      lifetimeMs: minuteMs,
      now,
    });
    const certificate = new X509Certificate(chainPem);
    expect(certificate.checkHost('panel.example.com')).toBeDefined();
    expect(certificate.checkIP('10.77.0.1')).toBeDefined();
    expect(certificate.checkHost('other.example.com')).toBeUndefined();
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(chainPem.endsWith(authority.certificatePem)).toBe(true);
    expect(fingerprintOf(authority.certificatePem)).toBe(authority.fingerprint);
  });

  it('needs a name', async () => {
    await expect(signServerCertificate(authority, { hosts: [], lifetimeMs: minuteMs })).rejects.toThrow(
      RangeError,
    );
  });
});
