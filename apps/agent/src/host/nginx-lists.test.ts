import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Site } from './host.ts';
import { assertSites, listNames, parseLists, renderLists } from './nginx-lists.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const name = fc
  .tuple(fc.constantFrom('', 'www.', 'shop.'), label, fc.constantFrom('com', 'net', 'co.uk'))
  .map(([prefix, middle, tld]) => `${prefix}${middle}.${tld}`);
const sitesOf = (uid: number, names: readonly string[], kind: Site['kind']): [number, Site[]] => [
  uid,
  names.map((site) => ({ name: site, kind, root: `/home/user${uid}/domains/${site}/public_html` })),
];
const anySites = fc
  .uniqueArray(name, { maxLength: 12 })
  .map(
    (names) =>
      new Map([sitesOf(20_000, names.slice(0, 5), 'php'), sitesOf(20_001, names.slice(5), 'suspended')]),
  );
const sorted = (sites: readonly Site[] | undefined) =>
  (sites ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));

describe('the lists of nginx', () => {
  test('say of every account what was written, whatever its names', () => {
    fc.assert(
      fc.property(anySites, (sites) => {
        const read = parseLists(renderLists(sites));
        for (const [uid, wanted] of sites) expect(sorted(read.get(uid))).toEqual(sorted(wanted));
      }),
    );
  });

  test('show the loss of any line that speaks of an account', () => {
    fc.assert(
      fc.property(anySites, fc.nat(), fc.nat(), (sites, file, line) => {
        const lists = renderLists(sites);
        const listName = listNames.filter((candidate) => candidate !== 'sizes.conf')[file % 4]!;
        const lines = lists[listName].split('\n').filter((text) => text !== '' && !text.startsWith('#'));
        fc.pre(lines.length > 0);
        const lost = lines[line % lines.length]!;
        const damaged = { ...lists, [listName]: lists[listName].replace(`${lost}\n`, '') };
        const read = parseLists(damaged);
        const same = [...sites].every(
          ([uid, wanted]) => JSON.stringify(sorted(read.get(uid))) === JSON.stringify(sorted(wanted)),
        );
        expect(same).toBe(false);
      }),
    );
  });

  test('answer for www., unless that is a site of its own', () => {
    const lists = renderLists(
      new Map([sitesOf(20_000, ['a.com', 'b.com'], 'php'), sitesOf(20_001, ['www.b.com'], 'php')]),
    );
    expect(lists['uid.map'].split('\n').slice(1)).toEqual([
      'a.com 20000;',
      'b.com 20000;',
      'www.a.com 20000;',
      'www.b.com 20001;',
      '',
    ]);
  });

  test('make room for the longest name and for many names', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`;
    expect(renderLists(new Map([sitesOf(20_000, [long], 'php')]))['sizes.conf']).toContain(
      'bucket_size 320;',
    );
    const many = Array.from({ length: 3_000 }, (_, at) => `site${at}.com`);
    expect(renderLists(new Map([sitesOf(20_000, many, 'php')]))['sizes.conf']).toContain('_max_size 16384;');
  });

  test.each([
    ['a.com;}', '/home/a'],
    ['a.com\n', '/home/a'],
    ['*.a.com', '/home/a'],
    ['~^x$', '/home/a'],
    ['A.com', '/home/a'],
    ['a.com', '/etc'],
    ['a.com', '/home/a/../b'],
    ['a.com', '/home/a;'],
    ['a.com', '/home/a b'],
    ['a.com', '/home/$x'],
    ['a.com', '/home/a\n'],
  ])('never hold the name %j with the root %j', (badName, root) => {
    expect(() => assertSites([{ name: badName, kind: 'php', root }])).toThrow('nginx must not see');
  });
});
