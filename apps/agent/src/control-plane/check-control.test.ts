import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlPlaneServer } from '../../test/control-plane-server.ts';
import { checkControl } from './check-control.ts';

let server: ControlPlaneServer;
let other: ControlPlaneServer;
beforeAll(async () => {
  [server, other] = await Promise.all([
    ControlPlaneServer.start('127.0.0.1'),
    ControlPlaneServer.start('127.0.0.1'),
  ]);
});
afterAll(() => {
  server.stop();
  other.stop();
});

const statuses = async (...args: Parameters<typeof checkControl>) =>
  (await checkControl(...args)).map(({ name, status }) => `${name} ${status}`);

test('a control plane that answers, its token and an equal clock are ok', async () => {
  expect(await statuses(undefined, server.joinToken())).toEqual(['join-token ok', 'control ok', 'clock ok']);
  expect(await statuses(server.address, undefined)).toEqual(['control ok', 'clock ok']);
});

test('an IPv6 address of the control plane works', async () => {
  const six = await ControlPlaneServer.start('[::1]');
  expect(await statuses(six.address, six.joinToken())).toEqual(['join-token ok', 'control ok', 'clock ok']);
  six.stop();
});

test('a damaged token, and a token of another control plane, are refused', async () => {
  expect(await statuses(server.address, 'ikj_damaged')).toEqual([
    'join-token refused',
    'control ok',
    'clock ok',
  ]);
  const findings = await checkControl(other.address, server.joinToken());
  expect(findings.at(-1)).toMatchObject({ name: 'control', status: 'refused' });
  expect(findings.at(-1)?.sentence).toContain('is not the control plane that made this join token');
});

test('a control plane that is not reachable, and another server in its place, are refused', async () => {
  expect((await checkControl('127.0.0.1:1', undefined))[0]).toMatchObject({
    status: 'refused',
    sentence: expect.stringContaining('127.0.0.1:1 does not answer: connect ECONNREFUSED'),
  });
  const foreign = createServer((socket) => socket.end('SSH-2.0-other\r\n'));
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const { port } = foreign.address() as { port: number };
  expect(await statuses(`127.0.0.1:${port}`, undefined)).toEqual(['control refused']);
  foreign.close();
});

test.each([
  [3_600_000, 'refused', /ahead of the control plane's. Certificates are not valid/],
  [-86_400_000, 'refused', /8\d{4} s behind/],
  [60_000, 'note', /chrony/],
])('a clock that is %i ms off is %s', async (offset, status, sentence) => {
  const clock = (await checkControl(server.address, undefined, () => Date.now() + offset)).at(-1);
  expect(clock).toMatchObject({ name: 'clock', status });
  expect(clock?.sentence).toMatch(sentence);
});
