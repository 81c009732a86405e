import type { Answer } from '../answer.ts';
import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectMessage } from '../errors.ts';
import { domainCreated, mainId } from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { filtersByAccount, notFound } from '../record-clauses.ts';
import { DOMAIN } from '../resource-shapes.ts';
import type { World } from '../world.ts';

const add = async (world: World, domain_name: unknown, more: object = {}) =>
  await world.api.post('/domains', { hosting_account_id: await mainId(world), domain_name, ...more });

const INVALID = ['localhost', 'a b.example.com', 'a/b.example.com', 'a;b.example.com', 'a\\b.example.com'];
const MORE_INVALID = ['a..example.com', `${'a.'.repeat(125)}com.com`];

export const domains = [
  section(
    '4.18',
    'GET /domains',
    clause('Answers the pagination envelope; each item is a Domain', async (world) => {
      await domainCreated(world);
      (await world.api.get('/domains')).expect(200).expectShape('data', { listOf: DOMAIN });
    }),
    filtersByAccount('/domains', domainCreated),
    clause('per_page is 25 by default, and the query can change it', async ({ api }) => {
      (await api.get('/domains')).expect(200).expectAt('per_page', 25);
      (await api.get('/domains?per_page=3')).expect(200).expectAt('per_page', 3);
    }),
  ),
  section(
    '4.19',
    'POST /domains',
    clause('Answers 201 { data: Domain }', async (world) => {
      const answer = (await domainCreated(world)).expectShape('data', DOMAIN);
      answer.expectAt('data.domain_name', world.domainName('main'));
      answer.expectAt('data.hosting_account_id', await mainId(world));
    }),
    clause('hosting_account_id and domain_name are required', async ({ api }) => {
      expectInvalid(await api.post('/domains', {}), 'domain_name', 'hosting_account_id');
    }),
    ...INVALID.map((name) =>
      clause(`The name ${JSON.stringify(name)}: 422`, async (world) => {
        expectInvalid(await add(world, name), 'domain_name');
      }),
    ),
    ...MORE_INVALID.map((name) =>
      clause(
        `A name ${name.length > 253 ? 'over 253 characters' : 'with two dots in a row'}: 422`,
        async (world) => {
          expectInvalid(await add(world, name), 'domain_name');
        },
      ),
    ),
    clause('is_primary makes another domain the primary one', async (world) => {
      await domainCreated(world);
      const answer = await world.once('a primary domain', () =>
        add(world, world.domainName('prime'), { is_primary: true }),
      );
      answer.expect(201).expectAt('data.is_primary', true);
      const shown = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
      const primary = shown.items('data.domains').filter(({ is_primary }) => is_primary);
      expectThat(primary.length === 1 && primary[0]?.id === answer.id(), 'one primary domain', primary);
    }),
  ),
  section(
    '4.20',
    'GET /domains/{id}',
    clause('Answers { data: { id, domain_name, hosting_account } }', async (world) => {
      const created = await domainCreated(world);
      const answer = (await world.api.get(`/domains/${created.id()}`)).expect(200);
      answer.expectAt('data.domain_name', world.domainName('main'));
      answer.expectAt('data.hosting_account.id', await mainId(world));
    }),
    notFound('A domain', (api) => api.get(`/domains/${NOBODYS_ID}`)),
    clause("Another reseller's domain: 404", async (world) => {
      const id = (await domainCreated(world)).id();
      expectMessage(await world.as('reseller').get(`/domains/${id}`), 404);
    }),
  ),
  section(
    '4.21',
    'POST /domains/{id}/ssl',
    clause('email is optional', async (world) => {
      const id = (await domainCreated(world)).id();
      (await world.api.post(`/domains/${id}/ssl`)).expect(200, 201, 202);
    }),
    clause('email must be an email address', async (world) => {
      const id = (await domainCreated(world)).id();
      (await world.api.post(`/domains/${id}/ssl`, { email: 'certs@example.com' })).expect(200, 201, 202);
      expectInvalid(await world.api.post(`/domains/${id}/ssl`, { email: 'nobody' }), 'email');
    }),
    notFound('A domain', (api) => api.post(`/domains/${NOBODYS_ID}/ssl`)),
  ),
  section(
    '4.22',
    'DELETE /domains/{id}',
    clause("Answers { message: 'Domain removal queued' }", async (world) => {
      const made = await world.had<Answer>('a primary domain');
      const answer = await world.api.delete(`/domains/${made.expect(201).id()}`);
      answer.expect(200).expectAt('message', 'Domain removal queued');
    }),
    clause('GET answers 404 when the removal is complete', async (world) => {
      const made = await world.had<Answer>('a primary domain');
      const path = `/domains/${made.expect(201).id()}`;
      const answer = await world.poll(
        () => world.api.get(path),
        ({ status }) => status === 404,
      );
      expectMessage(answer, 404);
    }),
    notFound('A domain', (api) => api.delete(`/domains/${NOBODYS_ID}`)),
  ),
];
