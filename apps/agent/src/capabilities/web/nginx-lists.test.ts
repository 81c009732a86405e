import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Site, siteKinds } from './host.ts';
import { assertSites, listNames, parseLists, renderLists, renderTest } from './nginx-lists.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const name = fc
  .tuple(fc.constantFrom('', 'www.', 'shop.'), label, fc.constantFrom('com', 'net', 'co.uk'))
  .map(([prefix, middle, tld]) => `${prefix}${middle}.${tld}`);
const key = fc.option(fc.constantFrom('a.com/1', 'b.com/2'));
const anySite = (uid: number, site: string): fc.Arbitrary<Site> =>
  fc
    .record({ kind: fc.constantFrom(...siteKinds), certificate: key, alias: key })
    .map(({ kind, certificate, alias }) => ({
      name: site,
      kind,
      root: `/home/user${uid}/domains/${site}/public_html`,
      socket: kind === 'proxy' ? '/run/innkeeper/apps/7.sock' : null,
      certificate,
      // Only a name that nginx answers for has an alias certificate.
      aliasCertificate: site.startsWith('www.') ? null : alias,
    }));
const anySites = fc
  .uniqueArray(name, { maxLength: 12 })
  .chain((names) => {
    const taken = new Set(names);
    const some = (uid: number, own: readonly string[]) =>
      fc
        .tuple(...own.map((site) => anySite(uid, site)))
        .map((sites) =>
          sites.map((site) => (taken.has(`www.${site.name}`) ? { ...site, aliasCertificate: null } : site)),
        );
    return fc.tuple(some(20_000, names.slice(0, 5)), some(20_001, names.slice(5)));
  })
  .map(
    ([one, other]) =>
      new Map<number, Site[]>([
        [20_000, one],
        [20_001, other],
      ]),
  );
const plain: Omit<Site, 'name'> = {
  kind: 'php',
  root: '/home/a',
  socket: null,
  certificate: null,
  aliasCertificate: null,
};
const sitesOf = (uid: number, names: readonly string[]): [number, Site[]] => [
  uid,
  names.map((site) => ({ ...plain, name: site, root: `/home/user${uid}/${site}` })),
];
const sorted = (sites: readonly Site[] | undefined) =>
  (sites ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));

describe('the lists of nginx', () => {
  test('contain exactly the written sites of every account', () => {
    fc.assert(
      fc.property(anySites, (sites) => {
        const read = parseLists(renderLists(sites));
        for (const [uid, wanted] of sites) expect(sorted(read.get(uid))).toEqual(sorted(wanted));
      }),
    );
  });

  test('render to the same bytes after parsing, so any other byte is foreign', () => {
    fc.assert(
      fc.property(anySites, (sites) => {
        const lists = renderLists(sites);
        expect(renderLists(parseLists(lists))).toEqual(lists);
      }),
    );
  });

  test('reveal the loss of any line of an account', () => {
    fc.assert(
      fc.property(anySites, fc.nat(), fc.nat(), (sites, file, line) => {
        const lists = renderLists(sites);
        const others = listNames.filter((candidate) => candidate !== 'sizes.conf');
        const listName = others[file % others.length]!;
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

  test('include www. unless it is a site of its own', () => {
    const sites = new Map([sitesOf(20_000, ['a.com', 'b.com']), sitesOf(20_001, ['www.b.com'])]);
    const lists = renderTest(sites);
    expect(lists['php.names'].split('\n').slice(1)).toEqual([
      'server_name a.com www.a.com;',
      'server_name b.com;',
      'server_name www.b.com;',
      '',
    ]);
    expect(lists['www.map'].split('\n').slice(1)).toEqual(['www.b.com www.b.com;', '']);
  });

  test('are the same for new and known lines', () => {
    fc.assert(
      fc.property(anySites, name, (sites, added) => {
        renderLists(sites);
        const next = new Map([...sites, sitesOf(20_002, [added])]);
        const copy = new Map([...next].map(([uid, own]) => [uid, structuredClone(own)]));
        expect(renderLists(next)).toEqual(renderLists(copy));
      }),
    );
  });

  test('list all sites but PHP sites, which the default server answers', () => {
    fc.assert(
      fc.property(anySites, (sites) => {
        const [live, tested] = [renderLists(sites), renderTest(sites)];
        expect(live['php.names']).toMatch(/^#.*\n$/);
        expect({ ...live, 'php.names': tested['php.names'] }).toEqual(tested);
        const named = Object.entries(live).flatMap(([list, text]) => (list.endsWith('.names') ? text : ''));
        for (const { name, kind } of [...sites.values()].flat())
          expect(named.join('').includes(`server_name ${name}`)).toBe(kind !== 'php');
      }),
    );
  });

  test('are tested with the lines of some accounts, with the hash sizes for all', () => {
    const sites = new Map([sitesOf(20_000, ['a.com']), sitesOf(20_001, ['b.com'])]);
    const [some, all] = [renderTest(sites, new Set([20_001])), renderLists(sites)];
    expect(parseLists(some)).toEqual(new Map([sitesOf(20_001, ['b.com'])]));
    expect(some['sizes.conf']).toBe(all['sizes.conf']);
  });

  test('have hash sizes for long and many names', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`;
    expect(renderLists(new Map([sitesOf(20_000, [long])]))['sizes.conf']).toContain('bucket_size 320;');
    const many = Array.from({ length: 3_000 }, (_, at) => `site${at}.com`);
    expect(renderLists(new Map([sitesOf(20_000, many)]))['sizes.conf']).toContain('_max_size 16384;');
  });

  test.each<Partial<Site>>([
    { name: 'a.com;}' },
    { name: 'a.com\n' },
    { name: '*.a.com' },
    { name: '~^x$' },
    { name: 'A.com' },
    { root: '/etc' },
    { root: '/home/a/../b' },
    { root: '/home/a;' },
    { root: '/home/a b' },
    { root: '/home/$x' },
    { root: '/home/a\n' },
    { socket: '/run/mysqld/mysqld.sock' },
    { socket: '/run/innkeeper/../x.sock' },
    { socket: '/run/innkeeper/apps/$x.sock' },
    { certificate: '/etc/ssl/x' },
    { certificate: '../x' },
    { aliasCertificate: 'a b' },
  ])('never hold %j', (bad) => {
    expect(() => assertSites([{ ...plain, name: 'a.com', ...bad }])).toThrow(
      'not allowed in the nginx configuration',
    );
  });
});
