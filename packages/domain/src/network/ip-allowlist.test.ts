import { expect, it } from 'vitest';
import { allowlistAdmits, canonicalAddress, canonicalRange } from './ip-address.ts';
import { readAllowlist } from './ip-allowlist.ts';

it('reads entries between commas, semicolons and white space, each once, in canonical form', () => {
  expect(readAllowlist(' 10.1.2.3/8, 2001:DB8:0:0::1;192.0.2.7\n2001:db8::1  192.0.2.7/32,').entries).toEqual(
    ['10.0.0.0/8', '2001:db8::1', '192.0.2.7'],
  );
  expect(readAllowlist(' ,; ').entries).toEqual([]);
});

it('takes 20 entries and refuses 21; duplicates do not count', () => {
  const list = (count: number) => Array.from({ length: count }, (_, i) => `10.0.0.${i}`).join(' ');
  expect(readAllowlist(`${list(20)} 10.0.0.0`).entries).toHaveLength(20);
  expect(readAllowlist(list(21)).refused).toEqual([
    'An allowlist holds at most 20 entries; this one has 21.',
  ]);
});

it.each([
  'example.com',
  '10.0.0',
  '010.0.0.1',
  '10.0.0.1/33',
  '10.0.0.1/-1',
  '10.0.0.1/08',
  '10.0.0.1/',
  '0x7f.0.0.1',
  '::1/129',
  'fe80::1%eth0',
  '10.0.0.1:80',
  '[::1]',
  '::ffff:10.0.0.0/95',
  '/8',
  '10.0.0.1/8/8',
])('refuses %s by name', (typed) => {
  expect(canonicalRange(typed)).toBeUndefined();
  expect(readAllowlist(`10.0.0.1 ${typed}`).refused).toEqual([expect.stringContaining(`"${typed}"`)]);
});

it('names the invalid lines of a list, at most five', () => {
  expect(readAllowlist('10.0.0.1\r\n\r\nexample.com, 10.0.0.2\n10.0.0.1/33\n').refused).toEqual([
    'Line 3: "example.com" is neither an IPv4 or IPv6 address nor a CIDR range.',
    'Line 4: "10.0.0.1/33" is neither an IPv4 or IPv6 address nor a CIDR range.',
  ]);
  expect(readAllowlist('x '.repeat(1_000)).refused).toHaveLength(5);
  expect(readAllowlist(`\n${'y'.repeat(1_000)}`).refused).toEqual([
    expect.stringMatching(/^Line 2: "y{50}" /),
  ]);
});

it('gives every address one canonical form', () => {
  expect(canonicalAddress('2001:0DB8:0000::0:1')).toBe('2001:db8::1');
  expect(canonicalAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(canonicalAddress('::FFFF:c000:0201')).toBe('192.0.2.1');
  expect(canonicalAddress('::')).toBe('::');
  expect(canonicalAddress('192.0.2.1/32')).toBeUndefined();
  expect(canonicalRange('::ffff:10.1.2.3/104')).toBe('10.0.0.0/8');
  expect(canonicalRange('2001:db8:ffff::1/33')).toBe('2001:db8:8000::/33');
  expect(canonicalRange('10.9.8.7/0')).toBe('0.0.0.0/0');
  expect(canonicalRange('::1/128')).toBe('::1');
});

it('admits only the listed addresses and ranges', () => {
  const list = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'];
  for (const client of ['10.255.255.255', '::ffff:10.0.0.1', '2001:db8:1::9', '192.0.2.1'])
    expect(allowlistAdmits(list, client), client).toBe(true);
  for (const client of ['11.0.0.1', '2001:db9::1', '192.0.2.2', 'unknown', ''])
    expect(allowlistAdmits(list, client), client).toBe(false);
});

it('keeps IPv4 and IPv6 apart', () => {
  expect(allowlistAdmits(['0.0.0.0/0'], '2001:db8::1')).toBe(false);
  expect(allowlistAdmits(['::/0'], '192.0.2.1')).toBe(false);
});

it('admits everybody when it is empty', () => {
  expect(allowlistAdmits([], '203.0.113.9')).toBe(true);
});
