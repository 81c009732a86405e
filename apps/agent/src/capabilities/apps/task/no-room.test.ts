import { expect, test } from 'vitest';
import { isNoRoom } from './no-room.ts';

const failure = (code: string, errno: number) => Object.assign(new Error(code), { code, errno });

test.each([
  ['a full disk', failure('ENOSPC', -28), true],
  ['a full quota, for which Node.js has no code', failure('UNKNOWN', -122), true],
  ['another error', failure('EACCES', -13), false],
  ['another error that Node.js has no code for', failure('UNKNOWN', -123), false],
  ['no error', undefined, false],
])('%s', (_, error, expected) => {
  expect(isNoRoom(error)).toBe(expected);
});
