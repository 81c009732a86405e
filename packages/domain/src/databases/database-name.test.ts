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
])('the database of %s that is called %j is %s', (linuxUser, label, name) => {
  expect(databaseNameFor(linuxUser, label)).toBe(name);
});

test.each(['', '_', '日本', '!?'])('nothing of the label %j can stand in a name', (label) => {
  expect(databaseNameFor('alice', label)).toBeUndefined();
});

test.each([
  ['information', 'schema'],
  ['performance', 'Schema'],
  ['aria', 'log-control'],
  ['undo', '001'],
])('%s gets no database that would be the server’s own by calling it %j', (linuxUser, label) => {
  expect(databaseNameFor(linuxUser, label)).toBeUndefined();
});

test('the names that a server has itself are no names of databases', () => {
  for (const name of ['mysql', 'sys', 'root', 'information_schema', 'undo_002', 'ab', `a${'b'.repeat(32)}`])
    expect(name).not.toMatch(DATABASE_NAME_PATTERN);
  for (const name of ['mysqlx', 'alice_sys', 'information_schema_2', 'undo_x'])
    expect(name).toMatch(DATABASE_NAME_PATTERN);
});

const linuxUsers = fc.stringMatching(/^[a-z_][a-z0-9_-]{2,15}$/);

test('whatever the label, a name begins with its account, and a node takes it', () => {
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
