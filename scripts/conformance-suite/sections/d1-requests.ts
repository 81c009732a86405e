import { clause, decisions, expectThat } from '../clause.ts';
import { expectInvalid, expectMessage, MISSING_ABILITY } from '../errors.ts';
import {
  CRON,
  cronCreated,
  domainCreated,
  MAIN_LIMITS,
  mainCreated,
  mainId,
  packagedId,
} from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { skip } from '../outcome.ts';
import type { World } from '../world.ts';

const LISTS = ['/accounts', '/domains', '/apps', '/databases', '/cron-jobs'];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

const resources = async (world: World, changes: object) =>
  await world.api.patch(`/accounts/${await mainId(world)}/resources`, {
    ...MAIN_LIMITS,
    terminal_access: false,
    ...changes,
  });

const cron = async (world: World, body: unknown) =>
  await world.api.patch(`/cron-jobs/${(await cronCreated(world)).id()}`, body);

const bulk = (world: World, query: string) => world.api.get(`/accounts/usage/bulk?${query}`);

const fields = decisions(
  'D1',
  'Decisions: requests',
  clause('Strings are trimmed', async (world) => {
    (await cron(world, { ...CRON, name: '  trimmed\n' })).expect(200).expectAt('data.name', 'trimmed');
  }),
  clause('A password is not trimmed', async (world) => {
    const path = `/accounts/${await mainId(world)}/password`;
    (await world.api.patch(path, { password: '       8' })).expect(200);
  }),
  clause('An empty string counts as null', async (world) => {
    (await resources(world, { iops: '' })).expect(200).expectAt('data.iops', null);
  }),
  clause('A string of digits is read as an integer; a fraction is refused', async (world) => {
    (await resources(world, { disk_limit_mb: '512' })).expect(200).expectAt('data.disk_limit_mb', 512);
    expectInvalid(await resources(world, { disk_limit_mb: 512.5 }), 'disk_limit_mb');
  }),
  clause('1, 0, "1" and "0" are booleans; "true" is refused', async (world) => {
    (await resources(world, { terminal_access: 1 })).expect(200).expectAt('data.terminal_access', true);
    (await resources(world, { terminal_access: '0' })).expect(200).expectAt('data.terminal_access', false);
    expectInvalid(await resources(world, { terminal_access: 'true' }), 'terminal_access');
  }),
  clause('A form is read like JSON', async (world) => {
    const answer = await cron(world, new URLSearchParams({ ...CRON, name: 'form', enabled: '1' }));
    answer.expect(200).expectAt('data.name', 'form').expectAt('data.enabled', true);
  }),
  clause('A body that is not JSON: 422 with errors.body', async ({ api }) => {
    expectInvalid(await api.post('/domains', '{bad'), 'body');
  }),
  clause('A JSON body over 1 MiB: 413 { message }', async ({ api }) => {
    expectMessage(await api.post('/domains', { domain_name: 'a'.repeat(1_100_000) }), 413);
  }),
  clause('Unknown fields are ignored', async (world) => {
    (await cron(world, { ...CRON, colour: 'red' })).expect(200);
  }),
  clause('Newlines and NUL inside a value are refused', async (world) => {
    expectInvalid(await cron(world, { ...CRON, name: 'a\nb' }), 'name');
    expectInvalid(await cron(world, { ...CRON, name: 'a\0b' }), 'name');
  }),
  clause('[]=, [0]= and repeated keys are arrays; a single value is not', async (world) => {
    const [one, two] = [await mainId(world), await packagedId(world)];
    (await bulk(world, `hosting_account_id[0]=${one}&hosting_account_id[1]=${two}`))
      .expect(200)
      .expectAt('meta.requested', 2);
    (await bulk(world, `hosting_account_id=${one}&hosting_account_id=${two}`))
      .expect(200)
      .expectAt('meta.requested', 2);
    expectInvalid(await bulk(world, `hosting_account_id=${one}`), 'hosting_account_id');
  }),
  clause('Duplicates are removed before the limit of 100 ids applies', async (world) => {
    const id = await mainId(world);
    const query = Array.from({ length: 150 }, () => `hosting_account_id[]=${id}`).join('&');
    (await bulk(world, query)).expect(200).expectAt('meta.requested', 1);
  }),
  clause('Every answer is JSON, whatever the Accept header contains', async ({ api }) => {
    const answer = (await api.get('/auth/me', { accept: 'text/html' })).expect(200);
    expectThat(answer.body !== undefined, 'JSON', answer.text.slice(0, 100));
  }),
  clause('per_page over 100 is 422 on every list', async ({ api }) => {
    for (const path of LISTS) expectInvalid(await api.get(`${path}?per_page=101`), 'per_page');
  }),
  clause('An empty per_page is treated as omitted; an invalid page is treated as 1', async ({ api }) => {
    (await api.get('/domains?per_page=&page=abc'))
      .expect(200)
      .expectAt('per_page', 25)
      .expectAt('current_page', 1);
  }),
  clause('A page past the end is empty', async ({ api }) => {
    (await api.get('/domains?page=100000')).expect(200).expectAt('data', []);
  }),
);

const create = async (world: World, body: object, key: string) =>
  await world.api.post(`/accounts/${await mainId(world)}/login-link`, body, { 'idempotency-key': key });

const idempotency = decisions(
  'D2',
  'Decisions: Idempotency-Key',
  clause(
    'The same key and body: the stored status and body, with Idempotent-Replayed: true',
    async (world) => {
      const key = `${world.prefix}-replay`;
      const first = (await create(world, { target: 'apps' }, key)).expect(200);
      const again = (await create(world, { target: 'apps' }, key)).expect(200);
      expectThat(again.headers.get('idempotent-replayed') === 'true', 'Idempotent-Replayed: true', 'none');
      expectThat(again.text === first.text, 'the same body', again.excerpt());
    },
  ),
  clause('The same key with another body: 422', async (world) => {
    const key = `${world.prefix}-other`;
    (await create(world, { target: 'apps' }, key)).expect(200);
    (await create(world, { target: 'domains' }, key)).expect(422);
  }),
  clause('A key over 255 characters: 422', async (world) => {
    (await create(world, {}, 'k'.repeat(256))).expect(422);
  }),
  clause('A validation error is not stored with the key', async (world) => {
    const key = `${world.prefix}-invalid`;
    expectInvalid(await create(world, { target: 'kitchen' }, key), 'target');
    (await create(world, { target: 'apps' }, key)).expect(200);
  }),
);

const answers = decisions(
  'D3',
  'Decisions: answers',
  clause(
    '422 has the message "The hosting account id field is required. (and 1 more error)"',
    async ({ api }) => {
      const answer = await api.post('/domains', {});
      expectInvalid(answer, 'domain_name');
      answer.expectAt('errors.domain_name', ['The domain name field is required.']);
      answer.expectAt('message', 'The hosting account id field is required. (and 1 more error)');
    },
  ),
  clause('401 has the message "Unauthenticated."', async ({ anonymous }) => {
    expectMessage(await anonymous.get('/accounts'), 401, 'Unauthenticated.');
  }),
  clause(
    '404 has the message "Not found.", the same for unknown ids and for ids of others',
    async (world) => {
      expectMessage(await world.api.get(`/accounts/${NOBODYS_ID}`), 404, 'Not found.');
      expectMessage(await world.as('reseller').get(`/accounts/${await mainId(world)}`), 404, 'Not found.');
    },
  ),
  clause('405 has the header Allow', async ({ api }) => {
    const answer = await api.send({ method: 'PUT', path: '/accounts' });
    expectMessage(answer, 405);
    const allow = answer.headers.get('allow') ?? '';
    expectThat(allow.includes('GET') && allow.includes('POST'), 'Allow with GET and POST', allow);
  }),
  clause('Timestamps have the format 2026-11-21T00:37:37.000000Z', async (world) => {
    const time = (await world.api.get(`/accounts/${await mainId(world)}`)).string('data.created_at');
    expectThat(TIME.test(time), 'six digits and Z', time);
  }),
  clause('Every pagination envelope has last_page, from and to', async ({ api }) => {
    for (const path of LISTS)
      (await api.get(`${path}?per_page=1`)).expect(200).expectShape('', {
        fields: { last_page: 'int', from: 'int or null', to: 'int or null' },
      });
  }),
  clause('A successful answer has X-RateLimit-Limit and X-RateLimit-Remaining', async ({ api }) => {
    const { headers } = await api.get('/auth/me');
    const [limit, remaining] = [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
    if (limit === null && remaining === null) skip('this installation has no rate limit for users');
    expectThat(/^\d+$/.test(limit ?? '') && /^\d+$/.test(remaining ?? ''), 'two numbers', [limit, remaining]);
  }),
  clause('PATCH password and resources answer { data: Account }', async (world) => {
    const id = await mainId(world);
    const answer = await world.api.patch(`/accounts/${id}/password`, { password: 'correct horse 9' });
    answer.expect(200).expectAt('data.id', id);
    (await resources(world, {})).expect(200).expectAt('data.id', id);
  }),
  clause('POST /domains/{id}/ssl answers 200 { message, data: Domain }', async (world) => {
    const id = (await domainCreated(world)).id();
    const answer = (await world.api.post(`/domains/${id}/ssl`)).expect(200);
    answer.expectShape('message', 'string').expectAt('data.id', id);
  }),
  clause('PATCH /cron-jobs/{id} answers { data: Cron job }', async (world) => {
    (await cron(world, CRON)).expect(200).expectAt('data.id', (await cronCreated(world)).id());
  }),
  clause('An account has synced, and for admins also node', async (world) => {
    (await mainCreated(world)).expectShape('data', {
      fields: { synced: 'bool', node: { fields: { id: 'int', name: 'string' } } },
    });
  }),
  clause(
    'GET /ready answers { status, checks: { database, queue, nodes: { total, online } } }',
    async ({ api }) => {
      (await api.get('/ready')).expectShape('checks.nodes', { fields: { total: 'int', online: 'int' } });
    },
  ),
);

const order = decisions(
  'D4',
  'Decisions: order of checks',
  clause(
    'The ability is checked before the record: a token without abilities gets 403 for an unknown id',
    async (world) => {
      const answer = await world.as('no-abilities').get(`/accounts/${NOBODYS_ID}`);
      expectMessage(answer, 403, MISSING_ABILITY);
    },
  ),
  clause('The record is checked before the fields: an unknown id is 404 with any body', async ({ api }) => {
    expectMessage(await api.patch(`/accounts/${NOBODYS_ID}/resources`, {}), 404);
  }),
  clause('An unknown hosting_account_id is 404, in a filter and in a body', async ({ api }) => {
    expectMessage(await api.get(`/domains?hosting_account_id=${NOBODYS_ID}`), 404);
    const body = { hosting_account_id: NOBODYS_ID, ...CRON };
    expectMessage(await api.post('/cron-jobs', body), 404);
  }),
  clause('A hosting_account_id of another user is 404 as well', async (world) => {
    const id = await mainId(world);
    expectMessage(await world.as('reseller').get(`/databases?hosting_account_id=${id}`), 404);
    expectMessage(await world.as('reseller').post('/databases', { hosting_account_id: id }), 404);
  }),
);

export const requestDecisions = [fields, idempotency, answers, order];
