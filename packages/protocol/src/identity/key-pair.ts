import { createPrivateKey, createPublicKey, generateKeyPairSync, type webcrypto } from 'node:crypto';

/** Every key of the system is ECDSA on P-256, with SHA-256. */
export const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
export const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Generates a private key, PKCS #8 in PEM. */
export function generatePrivateKeyPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key pair of a private key in PEM. Throws if the text is not an ECDSA P-256 key. */
export function keyPairOf(privateKeyPem: string): webcrypto.CryptoKeyPair {
  const privateKey = createPrivateKey(privateKeyPem);
  return {
    privateKey: privateKey.toCryptoKey(KEY_ALGORITHM, false, ['sign']),
    publicKey: createPublicKey(privateKey).toCryptoKey(KEY_ALGORITHM, true, ['verify']),
  };
}
