import { expect, it } from 'vitest';
import { pageEnvelope } from './page-envelope.ts';

it.each([
  [
    { items: ['a', 'b'], page: 2, per_page: 2, total: 5 },
    { from: 3, to: 4, last_page: 3 },
  ],
  [
    { items: ['a'], page: 3, per_page: 2, total: 5 },
    { from: 5, to: 5, last_page: 3 },
  ],
  [
    { items: [], page: 9, per_page: 2, total: 5 },
    { from: null, to: null, last_page: 3 },
  ],
  [
    { items: [], page: 1, per_page: 25, total: 0 },
    { from: null, to: null, last_page: 1 },
  ],
])('%j', (page, expected) => {
  const { items, ...rest } = page;
  expect(pageEnvelope(page)).toEqual({
    current_page: rest.page,
    data: items,
    per_page: rest.per_page,
    total: rest.total,
    ...expected,
  });
});
