import { plainSite, type SiteSettings } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { encodeSettings, isSettings, namesPasswords, needsPasswords } from './site-settings.ts';

const encode = (changes: Partial<SiteSettings>, shown: string | null = null) =>
  encodeSettings({ ...plainSite, ...changes }, shown);
/** Without the digest. */
const textOf = (changes: Partial<SiteSettings>, shown: string | null = null) =>
  encode(changes, shown).settings.replace(/[0-9a-f]{32}/, '#');
const password = { folder: null, user: 'me', hash: '$6$rounds=1000$salt$hash' };
const redirect = { url: 'https://example.org/a/?b=1,2', status: 301, keeps_path: false } as const;

test('the target of a site without settings is the same as in earlier releases', () => {
  expect(encode({})).toEqual({ settings: '', passwords: null });
});

test.each<[string, string, Partial<SiteSettings>, string | null]>([
  ['no redirect to HTTPS', 'h', { keeps_http: true }, null],
  ['an alias', '#/of,/shop.example.com', {}, 'shop.example.com'],
  ['a document root', '#/in,/domains/a/public', { document_root: 'domains/a/public' }, null],
  ['a password', 'p#', { password }, null],
  ['a password for a folder', 'p#/at,/a/b', { password: { ...password, folder: 'a/b' } }, null],
  ['a redirect', '#/to,/301/https/example.org/a/?b=1,2,', { redirect }, null],
  [
    'a redirect with the path',
    'h#/to,/302,path/https/example.org/a,',
    {
      keeps_http: true,
      redirect: { url: 'https://example.org/a/', status: 302, keeps_path: true },
      password,
    },
    null,
  ],
  [
    'all that a site can have',
    'hp#/of,/a.example/at,/b/in,/c',
    { keeps_http: true, document_root: 'c', password: { ...password, folder: 'b' } },
    'a.example',
  ],
])('%s', (_, wanted, changes, shown) => {
  expect(textOf(changes, shown)).toBe(wanted);
  const { settings, passwords } = encode(changes, shown);
  expect(isSettings(settings)).toBe(true);
  expect(needsPasswords(settings)).toBe(passwords !== null);
  expect(namesPasswords(settings, passwords)).toBe(true);
});

test('the password file has one line, and the settings identify its content', () => {
  const { settings, passwords } = encode({ password });
  expect(passwords).toBe('me:$6$rounds=1000$salt$hash\n');
  expect(namesPasswords(settings, 'me:other\n')).toBe(false);
  expect(namesPasswords(settings, null)).toBe(false);
  expect(encode({ password: { ...password, hash: '$6$x$y' } }).settings).not.toBe(settings);
});
