import { expect, test } from 'vitest';
import { numberText } from './numbers.ts';

test.each([
  [0, '0'],
  [1_234_567, '1,234,567'],
  [0.25, '0.3'],
  [12.04, '12'],
])('%d is shown as %s', (value, shown) => {
  expect(numberText(value)).toBe(shown);
});
