import { expect, test } from 'vitest';
import { findRegistrableName } from './registrable-name.ts';

test.each([
  ['example.com', 'example.com'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['someone.github.io', 'github.io'],
  ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
  ['shop.site.test', 'site.test'],
  ['www.ck', 'www.ck'],
])('%s belongs to %s', (name, registrable) => {
  expect(findRegistrableName(name)).toBe(registrable);
});

test.each(['co.uk', 'com.au', 'foo.ck', 'kawasaki.jp', 'xn--55qx5d.cn'])('%s is a public suffix', (name) => {
  expect(findRegistrableName(name)).toBeUndefined();
});
