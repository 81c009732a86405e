import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Box, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useInstallation } from './installation.ts';

/** The unit file of deploy/api on a real systemd: its sandbox must not remove anything that the process needs. */
const root = join(import.meta.dirname, '../../../..');
const deployed = [
  'etc/systemd/system/innkeeper-api.service',
  'etc/sysusers.d/innkeeper-api.conf',
  'etc/innkeeper/api.conf.example',
];
const settings = {
  INNKEEPER_DATABASE_URL: 'mysql://innkeeper:unknown@localhost/innkeeper?socket=/run/mysqld/mysqld.sock',
  INNKEEPER_KEYS_DIR: '/etc/innkeeper/keys',
  INNKEEPER_PUBLIC_HOST: '127.0.0.1',
  INNKEEPER_HTTP_TLS_CERT: '/etc/innkeeper/keys/nats/server.crt',
  INNKEEPER_HTTP_TLS_KEY: '/etc/innkeeper/keys/nats/server.key',
};

let box: Box;
beforeAll(async () => {
  const { boxes } = await useInstallation();
  box = await boxes.start('control1');
  await box.copyIn(process.execPath, '/opt/innkeeper/api/node');
  for (const bundle of ['innkeeper-api.mjs', 'innctl.mjs'])
    await box.copyIn(join(root, 'dist', bundle), `/opt/innkeeper/api/${bundle}`);
  for (const file of deployed)
    await box.writeFile(`/${file}`, readFileSync(join(root, 'deploy/api', file)), { mode: 0o644 });
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await box.require(['systemd-sysusers']);
  const innctl = ['/opt/innkeeper/api/node', '/opt/innkeeper/api/innctl.mjs'];
  await box.require([...innctl, 'init', '--keys', settings.INNKEEPER_KEYS_DIR, '--host', '127.0.0.1']);
  await box.writeFile('/etc/innkeeper/api.conf', lines.join(''), { mode: 0o640 });
  await box.require(['systemctl', 'daemon-reload']);
});
afterAll(async () => (await useInstallation()).boxes.remove('control1'));

const ask = async (path: string) => {
  const token = 'Authorization: Bearer ik_000000000000000000000000000000001rePMz';
  const url = `https://127.0.0.1:8443/api/v1${path}`;
  return await box.exec(['curl', '-sk', '-H', token, url]);
};
const show = async (property: string) =>
  (await box.require(['systemctl', 'show', '--value', '-p', property, 'innkeeper-api'])).trim();

it('the systemd unit starts, serves, reloads and stops as an unprivileged user', async () => {
  await box.require(['systemctl', 'start', 'innkeeper-api']);
  await waitUntil('the API in the box', async () => (await ask('/health')).stdout.includes('"ok"'));
  // The process reached the database's socket and was refused there: the sandbox allows the connection.
  expect((await ask('/auth/me')).stdout).toContain('Service Unavailable');
  const pid = await show('MainPID');
  const status = await box.require(['cat', `/proc/${pid}/status`]);
  expect(status).toMatch(/^CapBnd:\s*0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
  expect(status).toMatch(/^Seccomp:\s*2$/m);
  expect(status).not.toMatch(/^Uid:\s*0/m);

  await box.require(['systemctl', 'reload', 'innkeeper-api']);
  const log = () => box.require(['journalctl', '-u', 'innkeeper-api', '-o', 'cat', '--no-pager']);
  await waitUntil('the reload', async () => (await log()).includes('certificate was reloaded'));
  expect(await show('MainPID')).toBe(pid);

  await box.require(['systemctl', 'stop', 'innkeeper-api']);
  expect([await show('Result'), await show('ExecMainStatus')]).toEqual(['success', '0']);
});
