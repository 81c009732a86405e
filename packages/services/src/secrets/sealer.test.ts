import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSealer } from './sealer.ts';

const old = randomBytes(32);
const sealer = createSealer(() => ({ currentId: 'a', keys: new Map([['a', old]]) }));

it('opens what it sealed, and seals the same text differently each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = sealer.seal('database-password', text);
      expect(sealed).toMatch(/^a\.[\w-]+$/);
      expect(sealed).not.toBe(sealer.seal('database-password', text));
      expect(sealer.open('database-password', sealed)).toBe(text);
    }),
  );
});

it('opens with a previous key, and seals with the current one', () => {
  const keys = {
    currentId: 'b',
    keys: new Map([
      ['a', old],
      ['b', randomBytes(32)],
    ]),
  };
  const rotated = createSealer(() => keys);
  expect(rotated.open('totp-secret', sealer.seal('totp-secret', 'text'))).toBe('text');
  expect(rotated.seal('totp-secret', 'text')).toMatch(/^b\./);
});

it('opens nothing for another purpose, of another key, or that was changed', () => {
  const sealed = sealer.seal('database-password', 'hush');
  expect(() => sealer.open('totp-secret', sealed)).toThrow();
  expect(() => sealer.open('database-password', `z${sealed.slice(1)}`)).toThrow('no sealing key z');
  for (const damaged of [sealed.slice(0, -2), `${sealed}AAAA`, 'a.', 'a', '', 'a.AAAA'])
    expect(() => sealer.open('database-password', damaged), damaged).toThrow();
});
