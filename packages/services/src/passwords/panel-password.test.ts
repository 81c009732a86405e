import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPanelPassword } from './panel-password.ts';

test('a hash names its parameters and verifies', async () => {
  const phc = await hashPanelPassword('pässword 123');
  const [, algorithm, version, parameters, salt = '', hash = ''] = phc.split('$');
  expect([algorithm, version, parameters]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1']);
  const again = argon2Sync('argon2id', {
    message: 'pässword 123',
    nonce: Buffer.from(salt, 'base64'),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
  expect(again.toString('base64').replace(/=+$/, '')).toBe(hash);
});

test('two hashes of one password differ', async () => {
  const [one, other] = await Promise.all([hashPanelPassword('x'), hashPanelPassword('x')]);
  expect(one).not.toBe(other);
});
