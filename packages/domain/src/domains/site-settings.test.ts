import { expect, test } from 'vitest';
import { readFolder, readRedirectUrl } from './site-settings.ts';

test.each([
  ['public', 'public'],
  ['/domains/shop.example.com/public_html/public/', 'domains/shop.example.com/public_html/public'],
  ['a.b-c_d/1', 'a.b-c_d/1'],
])('the folder %s is stored as %s', (text, stored) => {
  expect(readFolder(text)).toBe(stored);
});

test.each([
  '',
  '/',
  '.',
  '..',
  '../x',
  'a/../b',
  'a//b',
  '.ssh',
  'a/.git',
  'a b',
  'a,b',
  'a:b',
  'é',
  'a\nb',
  'a'.repeat(201),
])('%j is no folder', (text) => {
  expect(readFolder(text)).toBeUndefined();
});

test.each([
  ['https://example.org', 'https://example.org/'],
  ['HTTP://Example.org:8080/a/?b=c/d&e=/../f', 'http://example.org:8080/a/?b=c%2Fd&e=%2F..%2Ff'],
  ['https://example.org/a/../b/./c', 'https://example.org/b/c'],
  ['https://bücher.example/ü b', 'https://xn--bcher-kva.example/%C3%BC%20b'],
  ['https://example.org/a,b;c=$d', 'https://example.org/a,b;c=$d'],
])('the URL %s is stored as %s, and that as itself', (text, stored) => {
  expect(readRedirectUrl(text)).toBe(stored);
  expect(readRedirectUrl(stored)).toBe(stored);
});

test.each([
  'example.org',
  'ftp://example.org/',
  'javascript:alert(1)',
  'https://user@example.org/',
  'https://example.org/#part',
  'https://example.org//a',
  'https://192.0.2.1/',
  'https://localhost/',
  `https://example.org/${'a'.repeat(201)}`,
  `https://example.org/${'a/'.repeat(500)}`,
])('%s is no URL to redirect to', (text) => {
  expect(readRedirectUrl(text)).toBeUndefined();
});
