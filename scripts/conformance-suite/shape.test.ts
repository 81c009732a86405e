import { expect, test } from 'vitest';
import { Answer } from './answer.ts';
import { expectInvalid, expectMessage, expectServiceError } from './errors.ts';
import { Mismatch } from './outcome.ts';
import { expectShape, type Shape } from './shape.ts';

const shape: Shape = {
  fields: { id: 'int', at: 'timestamp', tags: 'list of strings or null', of: { fields: { ok: 'bool' } } },
  optional: { note: 'string' },
};
const good = { id: 1, at: '2026-11-21T00:37:37.000000Z', tags: null, of: { ok: true }, more: 'is fine' };

test('a value of the shape passes, with fields that the shape does not name', () => {
  expectShape(good, shape, 'data');
  expectShape({ ...good, note: 'x', tags: ['a'] }, shape, 'data');
});

test.each([
  [{ ...good, id: '1' }, 'data.id: int'],
  [{ ...good, id: 1.5 }, 'data.id: int'],
  [{ ...good, at: '2026-11-21 00:37:37' }, 'data.at: timestamp'],
  [{ ...good, tags: [1] }, 'data.tags: list of strings or null'],
  [{ ...good, of: { ok: 1 } }, 'data.of.ok: bool'],
  [{ ...good, of: {} }, 'data.of.ok'],
  [{ ...good, note: 1 }, 'data.note: string'],
  [[], 'data: an object'],
])('a mismatch is named by its path: %j', (value, expected) => {
  expect(() => expectShape(value, shape, 'data')).toThrow(expect.objectContaining({ expected }));
});

const answer = (status: number, body: unknown) =>
  new Answer('POST /x', status, new Headers(), JSON.stringify(body));

test('the three shapes of errors are distinguished', () => {
  const invalid = answer(422, { message: 'm', errors: { name: ['The name field is required.'] } });
  expectInvalid(invalid, 'name');
  expect(() => expectInvalid(invalid, 'email')).toThrow(Mismatch);
  expect(() => expectInvalid(answer(422, { message: 'm', errors: { name: [] } }), 'name')).toThrow(Mismatch);
  expect(() => expectServiceError(invalid)).toThrow(Mismatch);
  expectServiceError(answer(422, { error: 'Database limit reached (3).' }));
  expectMessage(answer(404, { message: 'Not found.' }), 404, 'Not found.');
  expect(() => expectMessage(answer(404, { message: 'no' }), 404, 'Not found.')).toThrow(Mismatch);
  expect(() => expectMessage(answer(404, 'html'), 404)).toThrow(Mismatch);
});
