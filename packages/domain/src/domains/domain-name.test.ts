import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOMAIN_NAME_PATTERN, namesAbove, readDomainName, reversedName } from './domain-name.ts';

test.each([
  ['Shop.Example.COM', 'shop.example.com'],
  ['example.com.', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.Example.', 'xn--bcher-kva.example'],
  ['xn--BCHER-kva.example', 'xn--bcher-kva.example'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['ab--cd.com', 'ab--cd.com'],
  ['1.example', '1.example'],
  [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
])('%s is stored as %s', (text, stored) => {
  expect(readDomainName(text)).toBe(stored);
});

test.each([
  '',
  '.',
  'example',
  'example..com',
  'example.com..',
  '.example.com',
  'exa mple.com',
  'example.com/path',
  'example.com:80',
  'user@example.com',
  '*.example.com',
  'exam_ple.com',
  'ex%61mple.com',
  'example.com\n',
  'example.com\u0000',
  'example;.com',
  'example\\.com',
  '-a.com',
  'a-.com',
  '-ü.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`,
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  'example.123',
  'example.c',
  'xn--a.com',
  'xn--zn7c.com',
  'xn--abc-.com',
  '١٢٣.com',
  '℀.com',
])('%j is not a domain name', (text) => {
  expect(readDomainName(text)).toBeUndefined();
});

const label = fc
  .stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?$/)
  .filter((text) => !text.startsWith('xn--'));
const name = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 6 }), fc.stringMatching(/^[a-z]{2,10}$/))
  .map(([labels, last]) => [...labels, last].join('.'))
  .filter((text) => text.length >= 4);

test('a stored name is valid, and reading it again changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.domain(), name), (text) => {
      const stored = readDomainName(text);
      if (stored === undefined) return;
      expect(stored).toMatch(DOMAIN_NAME_PATTERN);
      expect(readDomainName(stored)).toBe(stored);
    }),
  );
});

test('every name of plain labels is read as itself, in any case', () => {
  fc.assert(fc.property(name, (text) => readDomainName(`${text.toUpperCase()}.`) === text));
});

test('the names above a name are its proper suffixes of two labels and more', () => {
  expect(namesAbove('a.b.example.com')).toEqual(['b.example.com', 'example.com']);
  expect(namesAbove('example.com')).toEqual([]);
});

test('a name is below another exactly if its reversed name begins with the other’s and a dot', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      for (const [lower, upper] of [
        [one, other],
        [`${one}.${other}`, other],
      ] as const)
        expect(reversedName(lower).startsWith(`${reversedName(upper)}.`)).toBe(lower.endsWith(`.${upper}`));
    }),
  );
});
