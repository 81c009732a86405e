import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DATABASE_NAME_PATTERN, databaseNameFor } from './database-name.ts';

test.each([
  ['alice', 'blog', 'alice_blog'],
  ['alice', ' My Blog! ', 'alice_my_blog'],
  ['alice', 'Übersee-Shop', 'alice_bersee_shop'],
  ['my-shop', 'x', 'my_shop_x'],
  ['_123', 'wp_2', '_123_wp_2'],
  ['alice', 'a'.repeat(64), `alice_${'a'.repeat(26)}`],
])('the database of %s with the label %j is %s', (linuxUser, label, name) => {
  expect(databaseNameFor(linuxUser, label)).toBe(name);
});

test.each(['', '_', '日本', '!?'])('the label %j has no character for a name', (label) => {
  expect(databaseNameFor('alice', label)).toBeUndefined();
});

test.each([
  ['information', 'schema'],
  ['performance', 'Schema'],
  ['aria', 'log-control'],
  ['undo', '001'],
])('the account %s with the label %j gets no system database', (linuxUser, label) => {
  expect(databaseNameFor(linuxUser, label)).toBeUndefined();
});

test('names of system databases are refused', () => {
  for (const name of ['mysql', 'sys', 'root', 'information_schema', 'undo_002', 'ab', `a${'b'.repeat(32)}`])
    expect(name).not.toMatch(DATABASE_NAME_PATTERN);
  for (const name of ['mysqlx', 'alice_sys', 'information_schema_2', 'undo_x'])
    expect(name).toMatch(DATABASE_NAME_PATTERN);
});

const linuxUsers = fc.stringMatching(/^[a-z_][a-z0-9_-]{2,15}$/);

test('with any label, the name begins with the account’s and is valid for nodes', () => {
  fc.assert(
    fc.property(linuxUsers, fc.string({ unit: 'binary' }), (linuxUser, label) => {
      const name = databaseNameFor(linuxUser, label);
      if (name === undefined) return;
      expect(name).toMatch(DATABASE_NAME_PATTERN);
      expect(name).toMatch(/^[a-z0-9_]{4,32}$/);
      expect(name.startsWith(`${linuxUser.replaceAll('-', '_')}_`)).toBe(true);
    }),
  );
});
