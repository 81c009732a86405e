import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, readEnvironment, wholeNumber } from './environment.ts';

const schema = z.object({
  PORT: wholeNumber({ min: 1, max: 65_535 }),
  WAIT_MS: wholeNumber({ min: 0, max: 1_000, unit: 'milliseconds' }).default(5),
});

test('an empty variable has its default, and a number is read as a number', () => {
  expect(readEnvironment(schema, { PORT: '8443', WAIT_MS: '' })).toEqual({ PORT: 8443, WAIT_MS: 5 });
});

test('every invalid variable has a sentence with its name and rule, without its value', () => {
  const read = () => readEnvironment(schema, { PORT: 'hush', WAIT_MS: '5s' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow('PORT must be a whole number.\nWAIT_MS must be a whole number of milliseconds.');
  expect(read).not.toThrow(/hush/);
});

test.each(['0', '65536', '-1', '1.5', '1e3', ' 1', '99999999999'])('%j is refused', (PORT) => {
  expect(() => readEnvironment(schema, { PORT })).toThrow(/^PORT must be /);
});
