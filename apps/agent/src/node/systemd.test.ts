import { expect, test } from 'vitest';
import { Changes } from './changes.ts';
import type { MethodCall, Value } from './dbus-message.ts';
import { Exec } from './exec.ts';
import { NodeSystemd, startedAfter, timeOf } from './systemd.ts';
import type { CallOptions, Reply } from './systemd-manager.ts';

interface Heard {
  readonly calls: readonly MethodCall[];
  readonly options: CallOptions;
}

/** systemd with the answers of a test. */
function systemdThat(answer: (call: MethodCall) => Reply) {
  const heard: Heard[] = [];
  const changes = new Changes();
  const systemd = new NodeSystemd(new Exec(changes), changes, async (calls, options) => {
    heard.push({ calls, options });
    return calls.map(answer);
  });
  return { systemd, heard, changes };
}

const unitsOf = ({ values }: MethodCall): Reply => {
  const names = values.at(-1) as readonly string[];
  const rows = names.map((name): Value[] => [name, '', 'loaded', 'active', name, '', '/', 7, 'start', '/']);
  return { values: [rows] };
};
const missing = { name: 'org.freedesktop.systemd1.NoSuchUnit', message: 'Unit a.service not loaded.' };
const refused = { name: 'org.freedesktop.DBus.Error.InvalidArgs', message: 'Bad value.' };

test('concurrent state queries are one call with the names of the units', async () => {
  const { systemd, heard } = systemdThat(unitsOf);
  const states = await Promise.all(['a.socket', 'b.service', 'a.socket'].map((name) => systemd.state(name)));
  expect(states.map(({ sub }) => sub)).toEqual(['a.socket', 'b.service', 'a.socket']);
  expect(states[0]).toEqual({ active: 'active', sub: 'a.socket', hasJob: true });
  expect(heard.map(({ calls }) => calls.map(({ values }) => values))).toEqual([
    [[['a.socket', 'b.service']]],
  ]);
});

test('a unit that systemd leaves out is a failure', async () => {
  const { systemd } = systemdThat(() => ({ values: [[]] }));
  await expect(systemd.state('a.service')).rejects.toThrow('systemd says nothing of a.service');
});

test('concurrent reads share a connection, and ask for each property once, of the right interface', async () => {
  const { systemd, heard } = systemdThat(({ values }) => ({ values: [`${values[1]}`] }));
  const shown = await Promise.all([
    systemd.show('a.slice', ['MemoryMax', 'DropInPaths']),
    systemd.show('b.service', ['StatusText']),
    systemd.show('a.slice', ['MemoryMax']),
  ]);
  expect(shown[1]).toEqual({ StatusText: 'StatusText' });
  expect(shown[2]).toMatchObject({ MemoryMax: 'MemoryMax' });
  expect(heard).toHaveLength(1);
  expect(heard[0]?.calls.map(({ values }) => `${values}`)).toEqual([
    'org.freedesktop.systemd1.Slice,MemoryMax',
    'org.freedesktop.systemd1.Unit,DropInPaths',
    'org.freedesktop.systemd1.Service,StatusText',
  ]);
});

test('a start waits for its job, and fails with the job’s result', async () => {
  const { systemd, heard, changes } = systemdThat(({ values }) => ({
    values: [values[0] === 'good.service' ? 'done' : 'dependency'],
  }));
  await systemd.start(['good.service']);
  expect(heard[0]?.options.awaitsJobs).toBe(true);
  const before = changes.count;
  await expect(systemd.start(['good.service', 'bad.service'])).rejects.toThrow(
    'StartUnit of bad.service ended with the result dependency.',
  );
  expect(changes.count).toBe(before + 1);
});

test('a missing unit is stopped, killed and reset, and cannot be started', async () => {
  const { systemd } = systemdThat(() => ({ values: [], error: missing }));
  await systemd.stop(['a.service']);
  await systemd.stopSoon(['a.service']);
  await systemd.kill('a.service');
  await systemd.resetFailed(['a.service']);
  await expect(systemd.start(['a.service'])).rejects.toThrow('systemd refuses: Unit a.service not loaded.');
  await expect(systemd.startSoon(['a.service'])).rejects.toThrow('not loaded');
});

test('any other refusal is a failure', async () => {
  const { systemd } = systemdThat(() => ({ values: [], error: refused }));
  for (const act of [
    () => systemd.stop(['a.service']),
    () => systemd.setProperties('a.slice', { MemoryMax: { type: 't', value: 1 } }),
    () => systemd.show('a.slice', ['MemoryMax']),
    () => systemd.state('a.service'),
  ])
    await expect(act()).rejects.toThrow('systemd refuses: Bad value.');
});

test('times of systemd are microseconds, and 0 is none', () => {
  expect(timeOf(1_795_440_060_818_706)).toBe(1_795_440_060_818.706);
  expect([timeOf(0), timeOf(undefined)]).toEqual([undefined, undefined]);
  expect(startedAfter(2_000_000, 1_999)).toBe(true);
  expect(startedAfter(2_000_000, 2_001)).toBe(false);
  expect([startedAfter(0, 2_001), startedAfter(2_000_000, undefined)]).toEqual([true, true]);
});
