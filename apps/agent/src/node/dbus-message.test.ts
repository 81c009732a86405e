import { expect, test } from 'vitest';
import { encodeCall, takeMessage } from './dbus-message.ts';
import { managerCall, propertyCall } from './systemd-manager.ts';

/** The bytes of a call that systemd 252 answered with the states of both units. */
const LIST_UNITS =
  'bAEAASkAAAABAAAAgAAAAAEBbwAZAAAAL29yZy9mcmVlZGVza3RvcC9zeXN0ZW1kMQAAAAAAAAACAXMAIAAAAG9yZy5mcmVlZGVza3RvcC5zeXN0ZW1kMS5NYW5hZ2VyAAAAAAAAAAADAXMAEAAAAExpc3RVbml0c0J5TmFtZXMAAAAAAAAAAAgBZwACYXMAJQAAAAwAAABkYnVzLnNlcnZpY2UAAAAADAAAAG5vcGUuc2VydmljZQA=';

function decoded(base64: string) {
  const bytes = Buffer.from(base64, 'base64');
  const { message, rest } = takeMessage(Buffer.concat([bytes, Buffer.from('next')]))!;
  expect(rest.toString()).toBe('next');
  return { ...message, values: message.values() };
}

test('encodes a call as systemd reads it', () => {
  const call = managerCall('ListUnitsByNames', 'as', ['dbus.service', 'nope.service']);
  expect(encodeCall(call, 1).toString('base64')).toBe(LIST_UNITS);
});

test('decodes its own values of all types that the agent sends', () => {
  const settings = [
    ['TasksMax', { type: 't', value: 77 }],
    ['MemoryMax', { type: 't', value: Number.POSITIVE_INFINITY }],
    ['IOReadBandwidthMax', { type: 'a(st)', value: [['/home', 2 ** 40]] }],
    ['IOWriteBandwidthMax', { type: 'a(st)', value: [] }],
  ];
  const call = managerCall('SetUnitProperties', 'sba(sv)i', 'ü.slice', true, settings, 9);
  const { kind, member, values } = decoded(encodeCall(call, 4_000_000_000).toString('base64'));
  expect({ kind, member }).toEqual({ kind: 'call', member: 'SetUnitProperties' });
  expect(values).toEqual([
    'ü.slice',
    true,
    [
      ['TasksMax', 77],
      ['MemoryMax', Number.POSITIVE_INFINITY],
      ['IOReadBandwidthMax', [['/home', 2 ** 40]]],
      ['IOWriteBandwidthMax', []],
    ],
    9,
  ]);
});

test.each([
  [
    'no limit',
    'bAIBARAAAAABAAAANwAAAAUBdQABAAAABwFzABgAAABvcmcuZnJlZWRlc2t0b3Auc3lzdGVtZDEAAAAAAAAAAAgBZwABdgAAAXQAAAAAAAD//////////w==',
    Number.POSITIVE_INFINITY,
  ],
  [
    'a number',
    'bAIBARAAAAAQAAAANwAAAAUBdQAEAAAABwFzABgAAABvcmcuZnJlZWRlc2t0b3Auc3lzdGVtZDEAAAAAAAAAAAgBZwABdgAAAXQAAAAAAABNAAAAAAAAAA==',
    77,
  ],
  [
    'limits of disks',
    'bAIBASgAAAAGAAAANwAAAAUBdQACAAAABwFzABgAAABvcmcuZnJlZWRlc2t0b3Auc3lzdGVtZDEAAAAAAAAAAAgBZwABdgAABWEoc3QpAAAYAAAAAAAAAAUAAAAvaG9tZQAAAAAAAAAAABAAAAAAAA==',
    [['/home', 1_048_576]],
  ],
])('decodes %s as systemd 252 sent it', (_, base64, value) => {
  expect(decoded(base64)).toMatchObject({ kind: 'return', values: [value] });
});

test('an incomplete message is not decoded', () => {
  const bytes = encodeCall(propertyCall('user-20000.slice', 'Slice', 'TasksMax'), 1);
  for (let length = 0; length < bytes.length; length += 1)
    expect(takeMessage(bytes.subarray(0, length))).toBeUndefined();
  expect(takeMessage(bytes)?.message.values()).toEqual(['org.freedesktop.systemd1.Slice', 'TasksMax']);
});

test('a text that is longer than its message is an error', () => {
  const bytes = encodeCall(managerCall('StopUnit', 's', 'a.service'), 1);
  bytes.writeUInt32LE(1_000, bytes.length - 14);
  expect(() => takeMessage(bytes)?.message.values()).toThrow(RangeError);
});
