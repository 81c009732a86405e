import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { PanelEnv } from '../env.ts';
import { rowsAPage } from './rows-a-page.ts';

const lists = new Hono<PanelEnv>();
lists.get('/list', (c) => c.text(String(rowsAPage(c))));

async function answerTo(query: string, cookie = '') {
  const answer = await lists.request(`/list?${query}`, { headers: { cookie } });
  return { rows: await answer.text(), kept: answer.headers.get('Set-Cookie') };
}

test('the address chooses one of four sizes, and the browser keeps it', async () => {
  expect(await answerTo('')).toEqual({ rows: '50', kept: null });
  const { rows, kept } = await answerTo('rows=200');
  expect([rows, kept]).toEqual(['200', expect.stringContaining('innkeeper_rows=200;')]);
  expect(kept).toContain('HttpOnly');
  expect(await answerTo('', 'innkeeper_rows=100')).toEqual({ rows: '100', kept: null });
  expect((await answerTo('rows=25', 'innkeeper_rows=100')).rows).toBe('25');
});

test.each(['0', '51', '1000000', '-25', '25.0', '2e2', 'all'])('%j is no size of a page', async (text) => {
  const query = `rows=${encodeURIComponent(text)}`;
  expect(await answerTo(query)).toEqual({ rows: '50', kept: null });
  expect((await answerTo('', `innkeeper_rows=${text}`)).rows).toBe('50');
});
