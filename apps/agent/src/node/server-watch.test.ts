import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from './fake-clock.ts';
import type { Placed } from './host.ts';
import { HostError } from './host-error.ts';
import { createLog } from './log.ts';
import { startServerWatch } from './server-watch.ts';

const UNITS = ['nginx.service', 'mariadb.service', 'cron.service', 'ssh.service', 'ssh.socket'];
const NOTHING: Placed = { restored: [], wrong: [] };

/** A server in memory. `act` records the actions of the watch, in order. */
function startRig() {
  const clock = new FakeClock();
  const acts: string[] = [];
  const server = {
    placed: NOTHING,
    web: [] as string[],
    down: new Set<string>(['ssh.socket']),
    installing: false,
    refuses: false,
  };
  const watch = startServerWatch({
    host: {
      placed: {
        repair: async () => {
          const found = server.placed;
          server.placed = NOTHING;
          return found;
        },
      },
      web: {
        check: async () => server.web,
        reload: async () => {
          acts.push('reload nginx');
          if (server.refuses) throw new HostError('Failed', 'nginx refuses.');
        },
      } as never,
      systemd: {
        state: async (unit: string) => ({
          active: server.down.has(unit) ? 'failed' : 'active',
          sub: '',
          hasJob: false,
        }),
        startSoon: async ([unit]: string[]) => {
          acts.push(`start ${unit}`);
          server.down.delete(unit!);
        },
        reloadUnits: async () => void acts.push('read units'),
        reload: async (unit: string) => void acts.push(`reload ${unit}`),
      } as never,
    },
    clock,
    log: createLog('fatal'),
    hasUnit: (unit) => UNITS.includes(unit),
    isInstalling: async () => server.installing,
  });
  onTestFinished(() => watch.stop());
  const look = async () => {
    await vi.waitFor(() => expect(clock.waits).toHaveLength(1));
    clock.advance(2_000);
    await vi.waitFor(() => expect(clock.waits).toHaveLength(1));
  };
  return { watch, server, acts, look, clock };
}

test('a server is ready after the first check that finds nothing missing', async () => {
  const { watch, look, acts } = startRig();
  expect(watch.reasons()).toHaveLength(1);
  await look();
  expect(watch.reasons()).toEqual([]);
  expect(acts).toEqual([]);
});

test('starts a stopped service, and reports it until it runs', async () => {
  const { watch, server, look, acts } = startRig();
  await look();
  server.down.add('nginx.service');
  server.web = ['nginx does not run.'];
  await look();
  expect(watch.reasons()).toEqual(['nginx does not run.']);
  // The server's own systemd gets the first try.
  expect(acts).toEqual([]);
  await look();
  expect(acts).toEqual(['start nginx.service']);
  server.web = [];
  await look();
  await look();
  expect(watch.reasons()).toEqual([]);
  expect(acts).toHaveLength(1);
});

test('leaves a service alone while its packages are being installed', async () => {
  const { watch, server, look, acts } = startRig();
  server.installing = true;
  server.down.add('mariadb.service');
  for (let time = 0; time < 8; time += 1) await look();
  expect(watch.reasons()).toEqual(['The database server does not run.']);
  expect(watch.warnings()).toEqual(['DATABASE_SERVER_DOWN']);
  expect(acts).toEqual([]);
  server.installing = false;
  await look();
  expect(acts).toEqual(['start mariadb.service']);
});

test('reloads the services whose files were restored', async () => {
  const { watch, server, look, acts } = startRig();
  await look();
  server.placed = {
    restored: ['/etc/nginx/conf.d/innkeeper.conf', '/etc/systemd/system/innkeeper-php@.socket'],
    wrong: ['/usr/local/sbin/innkeeper-agent is missing.'],
  };
  await look();
  expect(acts).toEqual(['read units', 'reload nginx']);
  expect(watch.reasons()).toEqual(['/usr/local/sbin/innkeeper-agent is missing.']);
});

test('a server that cannot be repaired is not ready', async () => {
  const { watch, server, look } = startRig();
  await look();
  server.refuses = true;
  server.placed = { restored: ['/etc/nginx/innkeeper/files.conf'], wrong: [] };
  await look();
  expect(watch.reasons()).toHaveLength(1);
});
