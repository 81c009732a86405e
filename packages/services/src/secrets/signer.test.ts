import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSealer } from './sealer.ts';
import { createSigner } from './signer.ts';

const old = randomBytes(32);
const before = createSigner(() => ({ currentId: 'a', keys: new Map([['a', old]]) }));
const both = { currentId: 'b', keys: new Map([['a', old]]).set('b', randomBytes(32)) };
const rotated = createSigner(() => both);
const words = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 5 });

it('verifies what it signed, and refuses it with any part changed', () => {
  fc.assert(
    fc.property(words, words, (signed, others) => {
      const signature = before.sign('login-link', signed);
      expect(signature).toMatch(/^[0-9a-f]{64}$/);
      expect(before.verifies('login-link', signed, signature)).toBe(true);
      const same = JSON.stringify(signed) === JSON.stringify(others);
      expect(before.verifies('login-link', others, signature)).toBe(same);
    }),
  );
});

it('separates the parts of a signed text', () => {
  const signature = before.sign('login-link', [1, 'ab', '', null]);
  for (const other of [
    [1, 'a', 'b', null],
    ['1', 'ab', '', null],
    [1, 'ab', null, ''],
    [1, 'ab', ''],
  ])
    expect(before.verifies('login-link', other, signature), JSON.stringify(other)).toBe(false);
});

it('verifies with a previous key, and signs with the current one', () => {
  expect(rotated.verifies('login-link', ['x'], before.sign('login-link', ['x']))).toBe(true);
  expect(before.verifies('login-link', ['x'], rotated.sign('login-link', ['x']))).toBe(false);
});

it('verifies nothing for another purpose, of another key, or that was changed', () => {
  const signature = before.sign('login-link', ['x']);
  expect(before.verifies('second-factor', ['x'], signature)).toBe(false);
  const stranger = createSigner(() => ({ currentId: 'a', keys: new Map([['a', randomBytes(32)]]) }));
  expect(stranger.verifies('login-link', ['x'], signature)).toBe(false);
  for (const bad of ['', signature.slice(1), `${signature}0`, signature.toUpperCase(), 'é'.repeat(32)])
    expect(before.verifies('login-link', ['x'], bad), bad).toBe(signature === bad);
});

it('derives its key separately from the sealing key', () => {
  const sealer = createSealer(() => both);
  expect(() => sealer.open('totp-secret', `b.${rotated.sign('login-link', ['x'])}`)).toThrow();
});

it('names the missing key', () => {
  const lost = createSigner(() => ({ currentId: 'gone', keys: new Map() }));
  expect(() => lost.sign('login-link', [])).toThrow('no sealing key gone');
});
