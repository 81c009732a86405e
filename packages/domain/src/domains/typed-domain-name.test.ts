import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOMAIN_NAME_PATTERN } from './domain-name.ts';
import { readTypedDomainName } from './typed-domain-name.ts';

test.each([
  ['example.com', 'example.com'],
  ['  Shop.Example.COM. ', 'shop.example.com'],
  ['https://www.example.com:8443/wp-admin/?a=b#c', 'example.com'],
  ['HTTP://example.com', 'example.com'],
  ['//example.com/path', 'example.com'],
  ['example.com:80', 'example.com'],
  ['example.com/', 'example.com'],
  ['www.shop.example.co.uk', 'shop.example.co.uk'],
  ['https://www.bücher.example/', 'xn--bcher-kva.example'],
  ['www.co.uk', 'www.co.uk'],
  ['www.com', 'www.com'],
  ['wwwexample.com', 'wwwexample.com'],
  ['www.www.example.com', 'www.example.com'],
])('%j means %s', (text, name) => {
  expect(readTypedDomainName(text)).toEqual({ name });
});

test.each([
  ['', 'empty', ''],
  ['https:///path', 'empty', ''],
  ['192.0.2.10', 'address', '192.0.2.10'],
  ['http://[2001:db8::1]:80/', 'address', '[2001:db8::1]'],
  ['*.example.com', 'wildcard', '*.example.com'],
  ['exam ple.com', 'character', ' '],
  ['me@example.com', 'character', '@'],
  ['exam_ple.com', 'character', '_'],
  ['example', 'ending', 'example'],
  ['example.c', 'ending', 'c'],
  ['example.123', 'ending', '123'],
  ['example..com', 'empty_part', 'example..com'],
  ['-a.com', 'hyphen', '-a'],
  [`${'a'.repeat(64)}.com`, 'long_part', 'a'.repeat(64)],
  [`${'a.'.repeat(126)}com`, 'long', `${'a.'.repeat(126)}com`],
  ['co.uk', 'public_suffix', 'co.uk'],
  ['xn--a.com', 'unknown', 'xn--a.com'],
])('%j breaks the rule %s', (text, rule, part) => {
  expect(readTypedDomainName(text)).toEqual({ fault: { rule, part } });
});

test('a name is always valid, and every other text has a rule that it breaks', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.domain()), (text) => {
      const read = readTypedDomainName(text);
      if ('name' in read) expect(read.name).toMatch(DOMAIN_NAME_PATTERN);
      else expect(read.fault.rule).not.toBe('');
    }),
  );
});
