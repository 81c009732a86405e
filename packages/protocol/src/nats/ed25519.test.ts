import { createUser, fromPublic, fromSeed } from '@nats-io/jwt';
import nacl from 'tweetnacl';
import { expect, it } from 'vitest';
import './ed25519.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

it('keys and signatures are those of RFC 8032, section 7.1', () => {
  const seed = bytes('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');
  const pair = nacl.sign.keyPair.fromSeed(seed);
  expect(hex(pair.publicKey)).toBe('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
  expect(hex(nacl.sign.detached(bytes('72'), pair.secretKey))).toBe(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );
});

it('the packages of NATS use them, and accept the signatures', () => {
  const user = createUser();
  const text = new TextEncoder().encode('nonce');
  const signature = fromSeed(user.getSeed()).sign(text);
  // In JavaScript, as before.
  const { secretKey } = nacl.sign.keyPair.fromSeed(nacl.randomBytes(32));
  expect(hex(nacl.sign.detached(text, secretKey))).toBe(hex(nacl.sign(text, secretKey).subarray(0, 64)));
  expect(fromPublic(user.getPublicKey()).verify(text, signature)).toBe(true);
});
