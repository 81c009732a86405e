import { expect, test } from 'vitest';
import { durationText } from './words.ts';

test.each([
  [0, '0 s'],
  [-5, '0 s'],
  [499, '0 s'],
  [41_400, '41 s'],
  [59_600, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '60 min'],
])('%d ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
