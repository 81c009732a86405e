import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import nacl from 'tweetnacl';

/**
 * The packages of NATS compute Ed25519 in JavaScript, by tweetnacl: a signature takes 10 ms of the thread that answers
 * requests, and 36 ms the first time. This module gives tweetnacl the implementation of Node.js (OpenSSL), which needs
 * 0.2 ms. Keys and signatures are the same: RFC 8032 leaves no choice.
 */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_HEADER, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** tweetnacl's secret key is the seed and the public key. */
function keyPairFromSeed(seed: Uint8Array): nacl.SignKeyPair {
  if (seed.length !== SEED_BYTES) throw new Error('bad seed size');
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(spki.subarray(-SEED_BYTES));
  return { publicKey, secretKey: new Uint8Array([...seed, ...publicKey]) };
}

function signDetached(message: Uint8Array, secretKey: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, privateKeyOf(secretKey.subarray(0, SEED_BYTES))));
}

Object.assign(nacl.sign.keyPair, { fromSeed: keyPairFromSeed });
nacl.sign.detached = Object.assign(signDetached, {
  verify: nacl.sign.detached.verify,
});
