import { expect, test } from 'vitest';
import { findGitServer } from './git-server.ts';

test.each([
  ['https://93.184.216.34/a.git', { host: '93.184.216.34', address: '93.184.216.34', port: 443 }],
  ['https://93.184.216.34:8443/a.git', { host: '93.184.216.34', address: '93.184.216.34', port: 8443 }],
])('%s is contacted at its own address', async (repository, server) => {
  expect(await findGitServer(repository, [])).toEqual(server);
});

test.each([
  'https://localhost/a.git',
  'ssh://git@127.0.0.1/a.git',
  'git@169.254.169.254:a.git',
  'https://10.0.0.1/a.git',
])('%s is not contacted', async (repository) => {
  await expect(findGitServer(repository, [])).rejects.toThrow('is not at a public address.');
});

test('only networks that the operator allows are contacted', async () => {
  expect(await findGitServer('ssh://git@10.0.0.1:2222/a.git', ['10.0.0.0/24'])).toMatchObject({
    address: '10.0.0.1',
  });
  await expect(findGitServer('ssh://git@10.0.1.1/a.git', ['10.0.0.0/24'])).rejects.toThrow('public');
});

test('a name without an address is retried', async () => {
  await expect(findGitServer('https://nothing.invalid/a.git', [])).rejects.toMatchObject({ retry: true });
});
