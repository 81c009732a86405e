import { expect, test } from 'vitest';
import { passwordRefusal } from './password.ts';

test('the length is in bytes, not characters', () => {
  expect(passwordRefusal('a'.repeat(511))).toBeUndefined();
  expect(passwordRefusal('ä'.repeat(255))).toBeUndefined();
  expect(passwordRefusal('ä'.repeat(256))).toBe('The password field must not be greater than 511 bytes.');
});
