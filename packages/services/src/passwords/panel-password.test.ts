import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPanelPassword, nobodysPasswordHash, verifyPanelPassword } from './panel-password.ts';

const cheapHash = (password: string) =>
  `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${argon2Sync('argon2id', {
    message: password,
    nonce: Buffer.alloc(16),
    memory: 8,
    passes: 1,
    parallelism: 1,
    tagLength: 16,
  }).toString('base64')}`.replace(/=+$/, '');

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

test('a hash verifies only its own password, with the parameters that it names', async () => {
  const phc = await hashPanelPassword('pässword 123');
  expect(await verifyPanelPassword('pässword 123', phc)).toBe(true);
  expect(await verifyPanelPassword('pässword 124', phc)).toBe(false);
  expect(await verifyPanelPassword('x', cheapHash('x'))).toBe(true);
  await expect(verifyPanelPassword('x', '$6$salt$hash')).rejects.toThrow(TypeError);
});

test('of 150 concurrent verifications 49 are refused as unavailable', async () => {
  const phc = cheapHash('x');
  const attempts = Array.from({ length: 150 }, () => verifyPanelPassword('x', phc));
  const results = await Promise.allSettled(attempts);
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(49);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  expect(await verifyPanelPassword('x', phc)).toBe(true);
});

test('the password of a new account is hashed in parallel with verifications, not after them', async () => {
  const phc = await hashPanelPassword('x');
  let verified = 0;
  const attempts = Array.from({ length: 6 }, () => verifyPanelPassword('x', phc).then(() => ++verified));
  await hashPanelPassword('new account');
  expect(verified).toBeLessThan(5);
  await Promise.all(attempts);
});

test('the hash for unknown users costs as much as a real one, and no password matches it', async () => {
  const cost = (phc: string) => phc.split('$').slice(0, 4).join('$');
  expect(cost(nobodysPasswordHash)).toBe(cost(await hashPanelPassword('x')));
  expect(nobodysPasswordHash).toHaveLength((await hashPanelPassword('x')).length);
  for (const guess of ['', 'x', nobodysPasswordHash])
    expect(await verifyPanelPassword(guess, nobodysPasswordHash)).toBe(false);
});
