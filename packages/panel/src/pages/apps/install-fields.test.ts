import { expect, test } from 'vitest';
import { readVariables } from './install-fields.ts';
import { appTexts } from './texts/index.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nabc=\n\n-----END PRIVATE KEY-----';

test('a line has one variable, and a value in quotation marks can have several lines', () => {
  const text = `A=1\r\n\r\n B = two words \nKEY="${KEY}"\nC="quoted"\nD="one mark\nE=2`;
  expect({ ...readVariables(text, appTexts.en) }).toEqual({
    A: '1',
    B: 'two words',
    KEY,
    C: '"quoted"',
    D: '"one mark',
    E: '2',
  });
});

test('the error names a line without a variable', () => {
  expect(() => readVariables('A=1\nnothing', appTexts.en)).toThrow();
});
