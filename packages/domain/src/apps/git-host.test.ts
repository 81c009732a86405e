import { describe, expect, it } from 'vitest';
import {
  gitHostOf,
  hasGitCredentials,
  isAllowedGitHost,
  isGitRepository,
  isPublicAddress,
  isPublicGitHost,
  isSshRepository,
} from './git-host.ts';

it.each([
  ['https://github.com/a/b.git', 'github.com', false],
  ['https://Git.Example.COM:8443/a', 'git.example.com', false],
  ['ssh://git@example.com:22/a', 'example.com', true],
  ['git@example.com.:a/b', 'example.com', true],
])('the host of %s is %s', (repository, host, isSsh) => {
  expect(gitHostOf(repository)).toBe(host);
  expect(isSshRepository(repository)).toBe(isSsh);
});

it('an address of another form has no host', () => {
  for (const text of ['', 'file:///etc', 'ext::sh -c id', '/home/a', 'git://x/y', 'https://'])
    expect(gitHostOf(text), text).toBeUndefined();
});

describe('an allowed host', () => {
  it.each([
    'github.com',
    'a.b.example.org',
    '8.8.8.8',
    '134744072',
    'xn--bcher-kva.example',
    '10.example.com',
  ])('%s', (host) => expect(isPublicGitHost(host)).toBe(true));
});

describe('a refused host', () => {
  it.each([
    'localhost',
    'a.localhost',
    'printer.local',
    'git.internal',
    'gitlab',
    'metadata.google.internal',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '0',
    '255.255.255.255',
    '224.0.0.1',
    '999.1.1.1',
    '1.2.3.4.5',
    'a..b',
    '.example.com',
    '',
  ])('%j', (host) => expect(isPublicGitHost(host)).toBe(false));
});

describe('addresses', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
  it.each([
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '192.0.2.1',
    '198.18.0.1',
    '240.0.0.1',
    'x',
    '',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('credentials in an address', () => {
  it.each([
    'https://user:secret@example.com/a.git',
    'https://ghp_token@example.com/a.git',
    'ssh://git:secret@example.com/a.git',
    'git:secret@example.com:a.git',
  ])('%s is not a repository address', (address) => {
    expect(hasGitCredentials(address)).toBe(true);
    expect(isGitRepository(address)).toBe(false);
  });
  it.each(['https://example.com:8443/a.git', 'ssh://git@example.com:22/a.git', 'git@example.com:a/b.git'])(
    '%s is a repository address',
    (address) => {
      expect(hasGitCredentials(address)).toBe(false);
      expect(isGitRepository(address)).toBe(true);
    },
  );
});

describe('with 10.0.0.0/24 allowed by the operator', () => {
  it.each(['github.com', '10.0.0.5', 'git.internal', 'gitlab'])('%s is allowed', (host) =>
    expect(isAllowedGitHost(host, ['10.0.0.0/24'])).toBe(true),
  );
  it.each(['10.0.1.5', '127.0.0.1', '127.1', '0x7f000001', '2130706433', 'a..b'])('%s is refused', (host) =>
    expect(isAllowedGitHost(host, ['10.0.0.0/24'])).toBe(false),
  );
  it('without such a network only public hosts are allowed', () =>
    expect(['10.0.0.5', 'git.internal'].some((host) => isAllowedGitHost(host, []))).toBe(false));
});
