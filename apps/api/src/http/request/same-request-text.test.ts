import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sameRequestText } from './same-request-text.ts';

it('the order of fields and a slash at the end do not matter', () => {
  const text = sameRequestText('POST', '/api/v1/apps', { a: 1, env: { X: '1', Y: '2' }, list: [1, 2] });
  expect(sameRequestText('POST', '/api/v1/apps/', { list: [1, 2], env: { Y: '2', X: '1' }, a: 1 })).toBe(
    text,
  );
  expect(sameRequestText('POST', '/api/v1/apps', { a: 1, env: { X: '1', Y: '2' }, list: [2, 1] })).not.toBe(
    text,
  );
});

it('omitted differs from null, and a number from a text', () => {
  const texts = [{}, { a: null }, { a: 0 }, { a: '0' }, { a: false }].map((fields) =>
    sameRequestText('PATCH', '/x', fields),
  );
  expect(new Set(texts).size).toBe(texts.length);
  expect(sameRequestText('PATCH', '/x', { a: undefined })).toBe(texts[0]);
});

it('equal fields give the same text, other fields another one', () => {
  const fields = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(fields, fields, (a, b) => {
      const reversed = Object.fromEntries(Object.entries(a).reverse());
      expect(sameRequestText('POST', '/x', reversed)).toBe(sameRequestText('POST', '/x', a));
      const isSame = sameRequestText('POST', '/x', a) === sameRequestText('POST', '/x', b);
      expect(isSame).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, field]) => [name, sorted(field)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .concat([['{}']]);
}
