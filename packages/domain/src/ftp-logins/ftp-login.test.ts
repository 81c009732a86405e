import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FTP_SUFFIX_PATTERN, ftpLoginNameFor, isFtpLoginName } from './ftp-login.ts';

test.each(['web', '1', 'a-b_c', 'abcdefghijklmn'])('the suffix %s makes a name of its account', (suffix) => {
  expect(isFtpLoginName(ftpLoginNameFor('alice', suffix), 'alice')).toBe(true);
});

test.each(['', '_', '-a', 'a-', 'A', 'a.b', 'a b', 'a/b', 'ä', 'a:b', 'a\n', '..', 'abcdefghijklmno'])(
  'the suffix %j is refused',
  (suffix) => {
    expect(suffix).not.toMatch(FTP_SUFFIX_PATTERN);
    expect(isFtpLoginName(`alice_${suffix}`, 'alice')).toBe(false);
  },
);

test.each([
  ['alice', 'alice'],
  ['bob_web', 'alice'],
  ['alicex_web', 'alice'],
  ['root_web', ''],
])('%s is no login of %s', (name, user) => {
  expect(isFtpLoginName(name, user)).toBe(false);
});

test('a name has at most 32 characters, and none that passwd, sshd or a path reads', () => {
  const users = fc.stringMatching(/^(?:[a-z][a-z0-9_-]{2,15}|_[a-z0-9_-]{3,16})$/);
  fc.assert(
    fc.property(users, fc.stringMatching(FTP_SUFFIX_PATTERN), (user, suffix) => {
      expect(ftpLoginNameFor(user, suffix)).toMatch(/^[a-z_][a-z0-9_-]{4,31}$/);
    }),
  );
});
