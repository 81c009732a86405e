import { mkdtempDisposable, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNodeFacts } from './node-facts.ts';

const sources = {
  version: '1',
  ioLimits: false,
  isDiskQuotaEnforced: async () => false,
  specs: () => [],
  ledgerIncomplete: false,
  nodejsVersions: [],
};

test.each([
  [true, 'enforced'],
  [false, 'accounting-only'],
])('a file system with quota enforcement (%s) is reported as %s', async (enforced, said) => {
  const facts = await readNodeFacts({ ...sources, isDiskQuotaEnforced: async () => enforced });
  expect(facts.disk_quota).toBe(said);
});

test('reports the time zone of this server', async () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect((await readNodeFacts(sources)).time_zone).toBe(timeZone);
});

test.each([
  ['/usr/sbin/php-fpm8.2', '8.2'],
  ['/usr/sbin/php-fpm10.11', '10.11'],
  ['/usr/local/sbin/php-fpm', null],
])('the PHP version of sites comes from the target of the link: %s is %s', async (program, version) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'innkeeper-'));
  const phpLink = join(folder.path, 'php-fpm');
  expect((await readNodeFacts({ ...sources, phpLink })).php_version).toBeNull();
  await symlink(program, phpLink);
  expect((await readNodeFacts({ ...sources, phpLink })).php_version).toBe(version);
});
