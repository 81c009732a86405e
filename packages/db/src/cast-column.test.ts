import { expect, test } from 'vitest';
import { castColumn } from './cast-column.ts';

const column = (type: string, text: string | null) => ({ type, name: 'id', string: () => text });

test('integers and decimals become numbers, null stays null', () => {
  expect(castColumn(column('LONGLONG', '9007199254740991'), () => 'next')).toBe(Number.MAX_SAFE_INTEGER);
  expect(castColumn(column('NEWDECIMAL', '12.50'), () => 'next')).toBe(12.5);
  expect(castColumn(column('LONGLONG', null), () => 'next')).toBeNull();
});

test('a number that would be rounded is refused', () => {
  expect(() => castColumn(column('LONGLONG', '9007199254740993'), () => 'next')).toThrow(
    /id holds 9007199254740993/,
  );
  expect(() => castColumn(column('NEWDECIMAL', '99999999999999999999'), () => 'next')).toThrow(RangeError);
});

test('other columns are left to the driver', () => {
  expect(castColumn(column('VAR_STRING', 'x'), () => 'next')).toBe('next');
});
