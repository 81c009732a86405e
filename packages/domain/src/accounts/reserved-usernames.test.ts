import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReservedUsername } from './reserved-usernames.ts';
import { LINUX_USER_PATTERN, linuxUserFor, USERNAME_PATTERN } from './username.ts';

test.each(['root', 'mysql', 'www-data', 'nobody', 'sudo', 'docker', 'disk', 'innkeeper'])(
  'the system name %s is reserved',
  (name) => {
    expect(isReservedUsername(name)).toBe(true);
  },
);

test.each(['bob', 'root1', 'shop-42', ''])('%j is free', (name) => {
  expect(isReservedUsername(name)).toBe(false);
});

const username = fc.stringMatching(/^[a-z0-9_-]{3,16}$/);

test('every username has a valid Linux user, and no two usernames share one', () => {
  fc.assert(
    fc.property(username, username, (one, other) => {
      expect(one).toMatch(USERNAME_PATTERN);
      expect(linuxUserFor(one)).toMatch(LINUX_USER_PATTERN);
      expect(linuxUserFor(one) === linuxUserFor(other)).toBe(one === other);
    }),
  );
});

test.each(['ab', 'a'.repeat(17), '../x', 'a\nb', 'a\u0000b', 'a b', 'äbc', 'Bob', 'bob\n', 'bob.'])(
  '%j is not a valid username',
  (name) => {
    expect(USERNAME_PATTERN.test(name)).toBe(false);
  },
);
