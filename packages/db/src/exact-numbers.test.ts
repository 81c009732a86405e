import { expect, test } from 'vitest';
import { findInexactNumber, parseExactJson } from './exact-numbers.ts';

const bigint = { name: 'id', columnType: 8 };
const decimal = { name: 'total', columnType: 246 };
const text = { name: 'text', columnType: 253 };

test('exact values pass: integers up to 2^53, fractions, null, text, and results without rows', () => {
  const rows = [
    { id: Number.MAX_SAFE_INTEGER, total: 12.5, text: '9007199254740993' },
    { id: null, total: null, text: null },
  ];
  expect(findInexactNumber(rows, [bigint, decimal, text])).toBeUndefined();
  expect(findInexactNumber([], [bigint])).toBeUndefined();
  expect(findInexactNumber({ insertId: 1 }, undefined)).toBeUndefined();
});

test('an integer that arrived as text or rounded, in any row, is refused with its column', () => {
  expect(findInexactNumber([{ id: 1 }, { id: '9007199254740993' }], [bigint])?.message).toMatch(
    /id holds 9007199254740993/,
  );
  expect(findInexactNumber([{ total: 1e20 }], [decimal])).toBeInstanceOf(RangeError);
});

test('an integer of a JSON record that a number cannot hold is refused with its column', () => {
  expect(parseExactJson('{"id":9007199254740991,"share":0.5,"name":"9007199254740993","none":null}')).toEqual(
    {
      id: Number.MAX_SAFE_INTEGER,
      share: 0.5,
      name: '9007199254740993',
      none: null,
    },
  );
  expect(() => parseExactJson('{"id":9007199254740993}')).toThrow(/Column id holds/);
});
