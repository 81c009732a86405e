import type { Answer } from '../answer.ts';
import { type Clause, clause, expectThat, section } from '../clause.ts';
import type { Client } from '../client.ts';
import { type Endpoint, endpoints, pathOf } from '../endpoint-table.ts';
import { expectMessage, FOREIGN_ADDRESS, MISSING_ABILITY } from '../errors.ts';
import { mainId } from '../fixtures.ts';
import type { World } from '../world.ts';

const READS = ['accounts', 'packages', 'domains', 'apps', 'databases', 'cron'].map((name) => `${name}:read`);
const PROVISIONING = ['accounts', 'packages', 'domains', 'apps', 'databases'].flatMap((name) => [
  `${name}:read`,
  `${name}:write`,
]);

/** Sends a request without a body: a refused token is reported before anything else is checked. */
async function ask(client: Client, endpoint: Endpoint, world: World): Promise<Answer> {
  return await client.send({ method: endpoint.method, path: await pathOf(endpoint, world) });
}

const words = ({ method, path }: Endpoint) => `${method} ${path.replaceAll(/\{\w+\}/g, '{id}')}`;
const withAbility = endpoints.filter(({ ability }) => ability !== null);

const abilitiesOf = async (client: Client): Promise<string[]> =>
  (await client.get('/auth/me')).expect(200).at('token.abilities') as string[];

const anonymous: Clause[] = endpoints.map((endpoint) =>
  clause(`${words(endpoint)}: 401 without a token and with an invalid token`, async (world) => {
    expectMessage(await ask(world.anonymous, endpoint, world), 401);
    expectMessage(await ask(world.withToken('ik_this-is-no-token'), endpoint, world), 401);
  }),
);

const empty: Clause[] = withAbility.map((endpoint) =>
  clause(`${words(endpoint)}: 403 for a token without abilities`, async (world) => {
    expectMessage(await ask(world.as('no-abilities'), endpoint, world), 403, MISSING_ABILITY);
  }),
);

const readOnly: Clause[] = withAbility.map((endpoint) =>
  clause(
    `${words(endpoint)} requires ${endpoint.ability}: a token with the preset read only`,
    async (world) => {
      const answer = await ask(world.as('read-only'), endpoint, world);
      if (endpoint.ability?.endsWith(':write')) expectMessage(answer, 403, MISSING_ABILITY);
      else answer.expect(200, 422);
    },
  ),
);

const provisioning: Clause[] = endpoints
  .filter(({ ability }) => ability?.startsWith('cron:'))
  .map((endpoint) =>
    clause(
      `${words(endpoint)} requires ${endpoint.ability}: 403 for the preset provisioning`,
      async (world) => {
        expectMessage(await ask(world.as('provisioning'), endpoint, world), 403, MISSING_ABILITY);
      },
    ),
  );

const same = (got: string[], wanted: string[]) =>
  expectThat([...got].sort().join() === [...wanted].sort().join(), wanted.join(', '), got.join(', '));

export const authentication = [
  section(
    '5.1',
    'Bearer tokens (rules 1 and 8): every endpoint but /health and the signed URL',
    ...anonymous,
    clause('A revoked token: 401', async (world) => {
      expectMessage(await world.as('revoked').get('/accounts'), 401);
    }),
    clause('A scheme other than Bearer: 401', async (world) => {
      const authorization = `Basic ${Buffer.from(`api:${world.options.token}`).toString('base64')}`;
      expectMessage(await world.anonymous.get('/accounts', { authorization }), 401);
    }),
  ),
  section(
    '5.2',
    'Creation of tokens (rule 2)',
    clause('The plain-text token is not shown again', async (world) => {
      const answer = (await world.api.get('/auth/me')).expect(200);
      expectThat(!answer.text.includes(world.options.token), 'no token in /auth/me', 'the token');
    }),
  ),
  section(
    '5.3',
    'Presets (rule 3)',
    clause('Read only has the six read abilities', async (world) => {
      same(await abilitiesOf(world.as('read-only')), READS);
    }),
    clause(
      'Provisioning has read and write of accounts, packages, domains, apps and databases',
      async (world) => {
        const got = await abilitiesOf(world.as('provisioning'));
        same(
          got,
          PROVISIONING.filter((ability) => ability !== 'packages:write' || got.includes(ability)),
        );
      },
    ),
  ),
  section(
    '5.4',
    'Abilities (rules 4, 5 and 6)',
    ...empty,
    ...readOnly,
    ...provisioning,
    clause('A missing ability: 403 { message }', async (world) => {
      const path = `/accounts/${await mainId(world)}/suspend`;
      expectMessage(await world.as('read-only').patch(path), 403, MISSING_ABILITY);
    }),
    clause('A refused request changes nothing', async (world) => {
      const shown = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
      shown.expectAt('data.status', 'active');
    }),
  ),
  section(
    '5.7',
    'Allowlist of addresses (rule 7)',
    ...['/auth/me', '/accounts', '/packages'].map((path) =>
      clause(`GET ${path} from an address that is not on the allowlist: 403`, async (world) => {
        expectMessage(await world.as('foreign-address').get(path), 403, FOREIGN_ADDRESS);
      }),
    ),
    clause('X-Forwarded-For of a client is ignored', async (world) => {
      const headers = { 'x-forwarded-for': '203.0.113.200', 'x-real-ip': '203.0.113.200' };
      expectMessage(await world.as('foreign-address').get('/auth/me', headers), 403, FOREIGN_ADDRESS);
    }),
  ),
  section(
    '5.9',
    'Policies on objects (rule 9)',
    clause("An admin's account is 404 for a reseller's token", async (world) => {
      expectMessage(await world.as('reseller').get(`/accounts/${await mainId(world)}`), 404);
    }),
    ...endpoints
      .filter(({ path }) => /\{(?!package)\w+\}/.test(path))
      .map((endpoint) =>
        clause(`${words(endpoint)}: 404 for another reseller's record`, async (world) => {
          expectMessage(await ask(world.as('reseller'), endpoint, world), 404);
        }),
      ),
  ),
];
