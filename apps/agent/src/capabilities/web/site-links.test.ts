import { describe, expect, test } from 'vitest';
import type { Site } from './host.ts';
import { assertSites, linksOf, parseSites } from './site-links.ts';

const site = (name: string, changes: Partial<Site> = {}): Site => ({
  name,
  kind: 'php',
  user: 'shop',
  appId: null,
  certificate: null,
  aliasCertificate: null,
  settings: '',
  passwords: null,
  ...changes,
});
const nobody = () => false;
const parse = (links: ReadonlyMap<string, string>, targets = new Set(links.values())) =>
  parseSites(20_000, links.keys(), links, (target) => targets.has(target));

describe('site links', () => {
  test('have the values of a site in their targets, for its name and its alias', () => {
    const sites = [site('shop.example.com', { certificate: '20000-1-a' }), site('www.only.example.com')];
    expect(Object.fromEntries(linksOf(20_000, sites, nobody))).toEqual({
      'shop.example.com': '20000,php,shop,20000-1-a,,',
      'www.shop.example.com': '20000,php,shop,,,www',
      'www.only.example.com': '20000,php,shop,,,',
    });
  });

  test('contain the settings of a site in their targets', () => {
    const settings = `hp${'a'.repeat(32)}/at,/admin`;
    const sites = [site('shop.example.com', { settings })];
    expect(linksOf(20_000, sites, nobody).get('www.shop.example.com')).toBe(
      `20000,php,shop,,,www,${settings}`,
    );
    expect(parse(linksOf(20_000, sites, nobody))).toEqual(sites);
  });

  test('leave out an alias that is a site, of this account or of another, or too long', () => {
    const long = ['a', 'b', 'c', 'd'].map((one) => one.repeat(62)).join('.');
    const sites = [
      site('shop.example.com'),
      site('www.shop.example.com'),
      site('taken.example.com'),
      site(long),
    ];
    const links = linksOf(20_000, sites, (name) => name === 'www.taken.example.com');
    expect([...links.keys()]).toEqual([
      'shop.example.com',
      'www.shop.example.com',
      'taken.example.com',
      long,
    ]);
    expect(links.get('www.shop.example.com')).toBe('20000,php,shop,,,');
  });

  test('are read back as the sites that they were made from', () => {
    const sites = [
      site('shop.example.com', { certificate: '20000-1-a', aliasCertificate: '20000-1-a' }),
      site('app.example.com', { kind: 'proxy', appId: 7 }),
      site('www.own.example.com', { kind: 'suspended', certificate: '20000-2-b' }),
    ];
    expect(parse(linksOf(20_000, sites, nobody))).toEqual(sites);
  });

  const links = () => new Map(linksOf(20_000, [site('shop.example.com')], nobody));
  const alias = 'www.shop.example.com';
  test.each<[string, () => Site[]]>([
    ['a lost alias', () => parse(new Map([...links()].filter(([name]) => name !== alias)))],
    ['an alias with other values', () => parse(links().set(alias, '20000,static,shop,,,www'))],
    ['an alias with other settings', () => parse(links().set(alias, '20000,php,shop,,,www,h'))],
    ['an alias of another account', () => parse(links().set(alias, '20001,php,shop,,,www'))],
    ['a lost name', () => parse(new Map([...links()].filter(([name]) => name === alias)))],
    ['a lost target', () => parse(links(), new Set(['20000,php,shop,,,www']))],
    ['a lost target of the alias', () => parse(links(), new Set(['20000,php,shop,,,']))],
  ])('are read back as a changed site when there is %s', (_, found) => {
    expect(found().map(({ user }) => user)).toEqual(['']);
  });

  test('an alias that is another account’s site is not reported as a fault', () => {
    expect(parse(links().set(alias, '20001,php,other,,,'))).toEqual([site('shop.example.com')]);
  });
});

test.each<[string, Site]>([
  ['name', site('../shop')],
  ['name', site('shop,1.example.com')],
  ['user', site('shop.example.com', { user: 'a,b' })],
  ['user', site('shop.example.com', { user: '' })],
  ['certificate', site('shop.example.com', { certificate: '../default' })],
  ['certificate', site('shop.example.com', { aliasCertificate: 'a,b' })],
  ['setting', site('shop.example.com', { settings: `${'a'.repeat(32)}/in,/../../../root` })],
  ['setting', site('shop.example.com', { settings: '../x' })],
  ['setting', site('shop.example.com', { settings: `${'a'.repeat(32)}/in,/${'b'.repeat(256)}` })],
])('a site whose %s could change the meaning of a link is refused', (what, refused) => {
  expect(() => assertSites([refused])).toThrow(`A site has a ${what} that nginx must not see.`);
});
