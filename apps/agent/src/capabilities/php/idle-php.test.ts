import { beforeEach, expect, test } from 'vitest';
import { FakeServer } from '../../../test/fake-host.ts';
import { Changes } from '../../node/changes.ts';
import { ownerNamed } from '../../node/owner.ts';
import type { PhpService } from './host.ts';
import { IdlePhp } from './idle-php.ts';

let services: PhpService[];
let retired: number[];
let idle: IdlePhp;

beforeEach(() => {
  services = [{ uid: 20_000, active: 0, requests: 5 }];
  retired = [];
  const host = new FakeServer().host(new Changes());
  const php = {
    ...host.php,
    services: async () => services,
    retire: async ({ uid }: { uid: number }) => void retired.push(uid),
  };
  idle = new IdlePhp({ ...host, php }, 300_000, (uid) =>
    uid < 30_000 ? ownerNamed('demo', uid) : undefined,
  );
});

test('stops PHP that was idle for the whole time', async () => {
  expect(await idle.sweep(0)).toBe(0);
  expect(await idle.sweep(299_999)).toBe(0);
  expect(await idle.sweep(300_000)).toBe(1);
  expect(retired).toEqual([20_000]);
});

test('a request restarts the idle time', async () => {
  await idle.sweep(0);
  services = [{ uid: 20_000, active: 0, requests: 6 }];
  await idle.sweep(299_000);
  expect(await idle.sweep(300_000)).toBe(0);
  expect(await idle.sweep(599_000)).toBe(1);
});

test('a running request keeps PHP alive', async () => {
  services = [{ uid: 20_000, active: 1, requests: 5 }];
  for (const now of [0, 300_000, 600_000]) expect(await idle.sweep(now)).toBe(0);
});

test('a restarted PHP is not taken for the previous one', async () => {
  await idle.sweep(0);
  services = [];
  await idle.sweep(100_000);
  services = [{ uid: 20_000, active: 0, requests: 5 }];
  expect(await idle.sweep(300_000)).toBe(0);
});

test('leaves PHP of other uids alone', async () => {
  services = [{ uid: 30_000, active: 0, requests: 5 }];
  await idle.sweep(0);
  expect(await idle.sweep(900_000)).toBe(0);
  expect(retired).toEqual([]);
});
