import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isApiToken, makeApiToken } from './token-format.ts';

const token = fc
  .array(fc.nat({ max: 61 }), { minLength: 32, maxLength: 32 })
  .map((digits) => makeApiToken(() => digits.shift() ?? 0));

it('is ik_, 32 characters of the secret and six of the checksum', () => {
  fc.assert(fc.property(token, (text) => /^ik_[0-9A-Za-z]{38}$/.test(text) && isApiToken(text)));
});

it('has the checksum that it had in every release', () => {
  expect(makeApiToken(() => 0)).toBe('ik_000000000000000000000000000000001rePMz');
});

it('is recognised as damaged when one character differs', () => {
  fc.assert(
    fc.property(token, fc.nat({ max: 40 }), fc.constantFrom(...'09AZaz_'), (text, at, letter) => {
      fc.pre(text[at] !== letter);
      return !isApiToken(text.slice(0, at) + letter + text.slice(at + 1));
    }),
  );
});

it('has no other form', () => {
  const text = makeApiToken(() => 7);
  for (const other of [
    '',
    'ik_',
    text.slice(1),
    text.slice(0, -1),
    `${text}0`,
    `${text}\n`,
    ` ${text}`,
    text.toUpperCase(),
  ])
    expect(isApiToken(other), other).toBe(false);
});
