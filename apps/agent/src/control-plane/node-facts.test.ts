import { mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
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

test('reports the fingerprints that clients compare: of the SSH host key, and of the certificate for FTP', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'innkeeper-'));
  const [sshHostKey, ftpCertificate] = [join(folder.path, 'host.pub'), join(folder.path, 'ftp.pem')];
  const places = { ...sources, sshHostKey, ftpCertificate };
  expect(await readNodeFacts(places)).toMatchObject({ ssh_fingerprint: null, ftp_fingerprint: null });
  await writeFile(
    sshHostKey,
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH root@web\n',
  );
  await writeFile(ftpCertificate, 'no certificate');
  // ssh-keygen -l -f host.pub
  const ssh_fingerprint = 'SHA256:gNSIRW+2Iyiuvsdp/bgjy38bvWHw6wQm3tuoXrl3WjQ';
  expect(await readNodeFacts(places)).toMatchObject({ ssh_fingerprint, ftp_fingerprint: null });
});
