import { expect, test } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

test('every part of the address is read and percent-decoded', () => {
  expect(parseDatabaseUrl('mysql://in%40n:p%3Aw%2F%40d@db.example:3307/innkeeper')).toEqual({
    host: 'db.example',
    port: 3307,
    user: 'in@n',
    password: 'p:w/@d',
    database: 'innkeeper',
  });
  expect(parseDatabaseUrl('mysql://u:p@[::1]/d?socket=/run/m.sock')).toMatchObject({
    host: '::1',
    port: 3306,
    socketPath: '/run/m.sock',
  });
  expect(parseDatabaseUrl('mysql://u:p@db/d?ca=/etc/ca.pem')).toMatchObject({
    host: 'db',
    tlsCaFile: '/etc/ca.pem',
  });
});

test.each([
  'mysql://u:hunter2@ho st/d',
  'mysql://u:hunter2@host',
  'mysql://:hunter2@host/d',
  'postgres://u:hunter2@host/d',
  'mysql://u:hunter2%zz@host/d',
  'mysql://u:hunter2@host/d?multipleStatements=true',
  'hunter2',
])('an invalid address is refused without its password in the error: %s', (url) => {
  expect(() => parseDatabaseUrl(url)).toThrow(TypeError);
  expect(() => parseDatabaseUrl(url)).not.toThrow(/hunter2/);
});
