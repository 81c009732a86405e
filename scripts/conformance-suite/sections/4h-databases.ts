import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectMessage, expectServiceError } from '../errors.ts';
import { databaseCreated, MAIN_LIMITS, mainId } from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { filtersByAccount, notFound } from '../record-clauses.ts';
import { DATABASE } from '../resource-shapes.ts';
import type { World } from '../world.ts';

/** Addresses reserved for documentation: no client connects from there. */
const IPV4 = '192.0.2.77';
const IPV6 = '2001:db8::77';

const path = async (world: World, rest = '') => `/databases/${(await databaseCreated(world)).id()}${rest}`;
const allow = async (world: World, ip: unknown) =>
  await world.api.post(await path(world, '/allowed-ips'), { ip });

/** The main account's second database, created without a name. A clause removes it. */
const unnamed = (world: World) =>
  world.once('a database without a name', async () =>
    (await world.api.post('/databases', { hosting_account_id: await mainId(world) })).expect(201),
  );

const addresses = [
  section(
    '4.35',
    'POST /databases/{id}/allowed-ips',
    clause('Adds an IPv4 address', async (world) => {
      (await allow(world, IPV4)).expect(200, 201);
      const shown = (await world.api.get(await path(world))).expect(200);
      shown.expectAt('data.allowed_ips', [IPV4]);
    }),
    clause('Adds an IPv6 address', async (world) => {
      (await allow(world, IPV6)).expect(200, 201);
      const shown = (await world.api.get(await path(world))).expect(200);
      const list = [...(shown.at('data.allowed_ips') as string[])].sort();
      expectThat(list.join() === [IPV4, IPV6].sort().join(), `${IPV4} and ${IPV6}`, list);
    }),
    clause('ip is required', async (world) => {
      expectInvalid(await world.api.post(await path(world, '/allowed-ips'), {}), 'ip');
    }),
    ...['192.0.2.256', '%', 'db.example.com', '192.0.2.0/24'].map((ip) =>
      clause(`"${ip}", which is not an IP address: 422`, async (world) =>
        expectInvalid(await allow(world, ip), 'ip'),
      ),
    ),
  ),
  section(
    '4.36',
    'DELETE /databases/{id}/allowed-ips/{ip}',
    clause('Answers { data: Database } with the remaining allowed_ips', async (world) => {
      const answer = await world.api.delete(await path(world, `/allowed-ips/${IPV4}`));
      answer.expect(200).expectShape('data', DATABASE).expectAt('data.allowed_ips', [IPV6]);
    }),
    clause('Removes an IPv6 address; allowed_ips is null when none remains', async (world) => {
      const answer = await world.api.delete(await path(world, `/allowed-ips/${encodeURIComponent(IPV6)}`));
      answer.expect(200).expectAt('data.allowed_ips', null);
    }),
  ),
];

export const databases = [
  section(
    '4.30',
    'GET /databases',
    clause('Answers the pagination envelope; each item is a Database', async (world) => {
      await databaseCreated(world);
      (await world.api.get('/databases'))
        .expect(200)
        .expectAt('per_page', 25)
        .expectShape('data', { listOf: DATABASE });
    }),
    filtersByAccount('/databases', databaseCreated),
  ),
  section(
    '4.31',
    'POST /databases',
    clause('Answers 201 { data: { id, db_name, db_user, db_host, status: pending } }', async (world) => {
      const answer = (await databaseCreated(world)).expectAt('data.status', 'pending');
      answer.expectShape('data', DATABASE).expectAt('data.name', 'shop');
    }),
    clause('name is optional, and generated when it is omitted', async (world) => {
      const name = (await unnamed(world)).string('data.name');
      expectThat(name !== '', 'a name', name);
    }),
    clause('Names of databases and of their users are unique', async (world) => {
      const [first, second] = [await databaseCreated(world), await unnamed(world)];
      expectThat(first.at('data.db_name') !== second.at('data.db_name'), 'another db_name', second.excerpt());
      expectThat(first.at('data.db_user') !== second.at('data.db_user'), 'another db_user', second.excerpt());
    }),
    clause('hosting_account_id is required', async ({ api }) => {
      expectInvalid(await api.post('/databases', {}), 'hosting_account_id');
    }),
    clause('Over max_databases: 422 with { error }', async (world) => {
      await databaseCreated(world);
      await unnamed(world);
      const answer = await world.api.post('/databases', { hosting_account_id: await mainId(world) });
      expectServiceError(answer);
      const words = answer.string('error');
      expectThat(words.includes(`(${MAIN_LIMITS.max_databases})`), 'the limit in brackets', words);
    }),
  ),
  section(
    '4.32',
    'GET /databases/{id}',
    clause('Answers { data: Database }', async (world) => {
      const answer = (await world.api.get(await path(world))).expect(200).expectShape('data', DATABASE);
      answer.expectAt('data.hosting_account_id', await mainId(world));
    }),
    notFound('A database', (api) => api.get(`/databases/${NOBODYS_ID}`)),
    clause("Another reseller's database: 404", async (world) => {
      expectMessage(await world.as('reseller').get(await path(world)), 404);
    }),
  ),
  section(
    '4.33',
    'DELETE /databases/{id}',
    clause("Answers { message: 'Database removal queued' }", async (world) => {
      const answer = await world.api.delete(`/databases/${(await unnamed(world)).id()}`);
      answer.expect(200).expectAt('message', 'Database removal queued');
    }),
    clause('GET answers 404 when the removal is complete', async (world) => {
      const id = (await unnamed(world)).id();
      const answer = await world.poll(
        () => world.api.get(`/databases/${id}`),
        ({ status }) => status === 404,
      );
      expectMessage(answer, 404);
    }),
    notFound('A database', (api) => api.delete(`/databases/${NOBODYS_ID}`)),
  ),
  section(
    '4.34',
    'PATCH /databases/{id}/password',
    clause('Needs no body; answers { data: Database } with status active', async (world) => {
      const answer = (await world.api.patch(await path(world, '/password'))).expect(200);
      answer.expectShape('data', DATABASE).expectAt('data.status', 'active');
    }),
    clause('The new password is not returned', async (world) => {
      const answer = await world.api.get(await path(world));
      expectThat(!/"[a-z_]*password[a-z_]*":\s*"/i.test(answer.text), 'no password', answer.excerpt());
    }),
  ),
  ...addresses,
];
