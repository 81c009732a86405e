import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSize, sizeToType } from './typed-size.ts';

test.each([
  ['5 GB', 5_120],
  ['5GB', 5_120],
  [' 5 g ', 5_120],
  ['5 GiB', 5_120],
  ['1.5 GB', 1_536],
  ['1,5 GB', 1_536],
  ['0.1 GB', 102],
  ['500 MB', 500],
  ['500 mib', 500],
  ['5120', 5_120],
  ['2 TB', 2_097_152],
  ['0', 0],
  ['0 GB', 0],
])('%j is %d MiB', (typed, mib) => {
  expect(readSize(typed)).toBe(mib);
});

test.each([
  '',
  'GB',
  '5 XB',
  '5 KB',
  '5 B',
  '-5 GB',
  '1.500',
  '1,5',
  '1.5.5 GB',
  '5 GB GB',
  '0.1 MB',
  '1e3',
  '٥ GB',
])('%j is no size', (typed) => {
  expect(readSize(typed)).toBeUndefined();
});

test('every stored size is shown so that it is read as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (mib) => {
      expect(readSize(sizeToType(mib))).toBe(mib);
    }),
  );
});
