import { clause, expectThat, section } from '../clause.ts';
import { expectMessage } from '../errors.ts';
import { packages, sellPackage } from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { skip } from '../outcome.ts';
import { notFound } from '../record-clauses.ts';
import { PACKAGE } from '../resource-shapes.ts';
import { expectShape } from '../shape.ts';

export const system = [
  section(
    '4.1',
    'GET /health',
    clause("Without a token: 200 { status: 'ok', time }", async ({ anonymous }) => {
      const answer = (await anonymous.get('/health')).expect(200).expectAt('status', 'ok');
      answer.expectShape('time', 'timestamp');
    }),
    clause('An invalid bearer token: 200', async (world) => {
      (await world.withToken('fake').get('/health')).expect(200);
    }),
    clause('A revoked bearer token: 200', async (world) => {
      (await world.as('revoked').get('/health')).expect(200);
    }),
    clause('GET /ready exists and requires authentication', async ({ api, anonymous }) => {
      expectMessage(await anonymous.get('/ready'), 401);
      (await api.get('/ready')).expect(200, 503);
    }),
  ),
  section(
    '4.2',
    'GET /auth/me',
    clause("Answers status 'ok' and authenticated true", async ({ api }) => {
      (await api.get('/auth/me')).expect(200).expectAt('status', 'ok').expectAt('authenticated', true);
    }),
    clause('Answers user {id, username, role}; role is admin or reseller', async ({ api }) => {
      const answer = await api.get('/auth/me');
      answer.expectShape('user', { fields: { id: 'int', username: 'string', role: 'string' } });
      answer.expectOneOf('user.role', ['admin', 'reseller']);
    }),
    clause('Answers token {id, name, purpose, preset, abilities}', async ({ api }) => {
      const words = { name: 'string', purpose: 'string', preset: 'string' } as const;
      (await api.get('/auth/me')).expectShape('token', {
        fields: { id: 'int', ...words, abilities: 'list of strings' },
      });
    }),
    clause('An invalid token: 401', async (world) => {
      expectMessage(await world.withToken('invalid').get('/auth/me'), 401);
    }),
    clause('A revoked token: 401', async (world) => {
      expectMessage(await world.as('revoked').get('/auth/me'), 401);
    }),
    clause("A client address that is not on the token's allowlist: 403", async (world) => {
      expectMessage(await world.as('foreign-address').get('/auth/me'), 403);
    }),
    clause("A reseller's token acts as that reseller", async (world) => {
      (await world.as('reseller').get('/auth/me')).expect(200).expectAt('user.role', 'reseller');
    }),
    clause('The token needs no ability', async (world) => {
      (await world.as('no-abilities').get('/auth/me')).expect(200);
    }),
  ),
  section(
    '4.3',
    'GET /packages',
    clause('Answers { data: [Package] }', async (world) => {
      expectShape(await packages(world), { listOf: PACKAGE }, 'data');
    }),
  ),
  section(
    '4.4',
    'GET /packages/{id}',
    clause('Answers { data: Package }, equal to the package in the list', async (world) => {
      const [first] = await packages(world);
      if (first === undefined) skip('there is no package');
      (await world.api.get(`/packages/${first.id}`)).expect(200).expectShape('data', PACKAGE);
      (await world.api.get(`/packages/${first.id}`)).expectAt('data.slug', first.slug);
    }),
    notFound('A package', (api) => api.get(`/packages/${NOBODYS_ID}`)),
    clause("A package that the token's user may not view: 403", async (world) => {
      const reseller = world.as('reseller');
      const visible = (await reseller.get('/packages'))
        .expect(200)
        .items()
        .map(({ id }) => id);
      const hidden = (await packages(world)).find(({ id }) => !visible.includes(id));
      if (hidden === undefined) skip('the reseller sees every package');
      expectMessage(await reseller.get(`/packages/${hidden.id}`), 403);
    }),
    clause(
      'A package has io_read_mbps, io_write_mbps, iops and max_processes for provisioning',
      async (world) => {
        expectThat('io_read_mbps' in (await sellPackage(world)), 'a package with io_read_mbps', 'none');
      },
    ),
  ),
];
