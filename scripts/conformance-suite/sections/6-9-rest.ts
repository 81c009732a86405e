import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectMessage } from '../errors.ts';
import { smallestCreated } from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import type { World } from '../world.ts';

/** Requests and statuses of all wrong answers so far, without duplicates. */
const seen = (world: World, isWrong: (answer: World['seen'][number]) => boolean): string[] => [
  ...new Set(world.seen.filter(isWrong).map(({ request, status }) => `${request} ${status}`)),
];

export const rest = [
  section(
    '6',
    'Events',
    clause('A client sees asynchronous completion by polling the resource', async (world) => {
      const id = (await smallestCreated(world)).id();
      (await world.api.get(`/accounts/${id}`)).expect(200, 404);
    }),
  ),
  section(
    '7',
    'Errors',
    clause('401: { message }', async ({ anonymous }) => {
      expectMessage(await anonymous.get('/accounts'), 401);
    }),
    clause('404: { message }', async ({ api }) => {
      expectMessage(await api.get(`/accounts/${NOBODYS_ID}`), 404);
    }),
    clause('An unknown path: 404 { message }', async ({ api }) => {
      expectMessage(await api.get('/no-such-resource'), 404);
    }),
    clause('422: { message, errors: { <field>: [string, ...] } }', async ({ api }) => {
      expectInvalid(await api.post('/domains', { hosting_account_id: 'x', domain_name: '' }), 'domain_name');
    }),
    clause('Every error in this run had the shape { message } or { error }', async (world) => {
      const wrong = seen(world, ({ status, hasErrorBody }) => status >= 400 && !hasErrorBody);
      expectThat(wrong.length === 0, 'a message or an error in each', wrong);
    }),
    clause('No request in this run got a 500', async (world) => {
      const wrong = seen(world, ({ status }) => status >= 500 && status !== 503);
      expectThat(wrong.length === 0, 'none', wrong);
    }),
    clause('No answer in this run had db_password or another password', async (world) => {
      const wrong = seen(world, ({ passwordFields, status }) => passwordFields.length > 0 && status < 400);
      expectThat(wrong.length === 0, 'none', wrong);
    }),
    clause('Every answer in this run below /api/v1 was JSON', async (world) => {
      const wrong = seen(world, ({ isJson, status }) => !isJson && (status < 300 || status >= 400));
      expectThat(wrong.length === 0, 'none that was not', wrong);
    }),
  ),
  section(
    '9',
    'Versioning',
    clause('The version is the path segment /api/v1', async ({ options, seen: answered }) => {
      expectThat(options.baseUrl.endsWith('/api/v1'), '/api/v1', options.baseUrl);
      expectThat(
        answered.some(({ status }) => status === 200),
        'an answer 200 below it',
        'none',
      );
    }),
  ),
];
