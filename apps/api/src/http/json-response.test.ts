import { expect, it } from 'vitest';
import { jsonResponse } from './json-response.ts';

const at = new Date('2026-11-21T00:37:37.5Z');

it('every Date becomes a timestamp of the API, and the input stays unchanged', async () => {
  const body = { at, list: [at, { at, none: null }], text: at.toISOString(), left: undefined };
  expect(await jsonResponse(200, body).json()).toEqual({
    at: '2026-11-21T00:37:37.500000Z',
    list: ['2026-11-21T00:37:37.500000Z', { at: '2026-11-21T00:37:37.500000Z', none: null }],
    text: '2026-11-21T00:37:37.500Z',
  });
  expect(body.at).toBe(at);
  expect(await jsonResponse(200, null).json()).toBeNull();
});

it('a key may have any name', async () => {
  const body: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
  expect(await jsonResponse(200, body).text()).toBe('{"__proto__":{"a":1},"constructor":{"b":2}}');
});
