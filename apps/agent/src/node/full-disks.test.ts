import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FakeClock } from './fake-clock.ts';
import { findFullDisks, isDiskFull, watchFullDisks } from './full-disks.ts';
import { HostError } from './host-error.ts';

test.each([
  ['of a file', Object.assign(new Error('write'), { code: 'ENOSPC' }), true],
  [
    'of a cause',
    new Error('The site could not be written.', { cause: Object.assign(new Error('x'), { code: 'ENOSPC' }) }),
    true,
  ],
  ['of a program', new HostError('Failed', 'useradd: /etc/passwd: No space left on device'), true],
  ['of the account’s quota', Object.assign(new Error('write'), { code: 'EDQUOT' }), false],
  ['of something else', new HostError('Failed', 'nginx does not reload.'), false],
  ['without an error', undefined, false],
])('recognises a full disk in a failure %s', (_, error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull);
});

test('a cause that leads to itself ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(isDiskFull(error)).toBe(false);
});

test('a folder that does not exist is not full', async () => {
  expect(await findFullDisks(['/no/such/folder'])).toEqual([]);
});

test('tells and logs once when a disk is full, and when it has room again', async () => {
  const clock = new FakeClock();
  const said: string[] = [];
  const told: boolean[] = [];
  let full: readonly string[] = [];
  const stop = watchFullDisks({
    set: (isFull) => told.push(isFull),
    find: async () => [...full],
    clock,
    log: { warn: () => said.push('full'), info: () => said.push('room') },
  });
  for (const now of [['The file system of / has no space.'], [], ['x'], ['x'], []]) {
    await turn();
    full = now;
    clock.advance(5_000);
  }
  await turn();
  stop();
  expect(told).toEqual([false, true, false, true, true, false]);
  expect(said).toEqual(['full', 'room', 'full', 'room']);
});
