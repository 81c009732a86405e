import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { PanelEnv } from '../env.ts';
import { leadToLastPage } from './last-page.ts';

const lists = new Hono<PanelEnv>();
lists.on(['GET', 'POST'], '/list', (c) => {
  const total = Number(c.req.query('total'));
  const list = { page: Number(c.req.query('page')), per_page: 50, total };
  return leadToLastPage(c, list) ?? c.text('this page');
});

async function answerTo(query: string, method = 'GET') {
  const answer = await lists.request(`/list?${query}`, { method });
  return answer.headers.get('Location') ?? (await answer.text());
}

test('a page beyond the end leads to the last page, with the other parameters', async () => {
  expect(await answerTo('total=101&page=9')).toBe('/list?total=101&page=3');
  expect(await answerTo('total=100&page=3')).toBe('/list?total=100&page=2');
  expect(await answerTo('total=50&page=2')).toBe('/list?total=50');
  expect(await answerTo('total=0&page=2')).toBe('/list?total=0');
});

test('a page of the list, the only page of an empty list and a refused form stay', async () => {
  expect(await answerTo('total=101&page=3')).toBe('this page');
  expect(await answerTo('total=0&page=1')).toBe('this page');
  expect(await answerTo('total=101&page=9', 'POST')).toBe('this page');
});
