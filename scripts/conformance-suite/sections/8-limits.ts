import type { Answer } from '../answer.ts';
import { clause, expectThat, section } from '../clause.ts';
import type { Client } from '../client.ts';
import { expectInvalid, expectMessage, expectRefused } from '../errors.ts';
import {
  appCreated,
  CRON,
  deployable,
  domainCreated,
  MAIN_LIMITS,
  mainId,
  packagedId,
  sellPackage,
} from '../fixtures.ts';
import { skip } from '../outcome.ts';
import type { World } from '../world.ts';

const MOST_TRIES = 130;

/**
 * Sends requests until the rate limit refuses one. Skips the clause if the headers show that the installation allows
 * more.
 */
async function exhaust(client: Client, path: string, allowed: number): Promise<Answer> {
  for (let sent = 1; sent <= MOST_TRIES; sent++) {
    const answer = await client.send({ method: 'GET', path, impatient: true });
    const said = Number(answer.headers.get('x-ratelimit-limit') ?? allowed);
    if (said > allowed)
      skip(`this installation allows ${said} requests a minute, not the default of ${allowed}`);
    if (answer.status === 429) {
      expectThat(sent <= allowed + 1, `at most ${allowed} before it`, `${sent - 1}`);
      return answer;
    }
  }
  return skip(`${MOST_TRIES} requests in a row reached no rate limit`);
}

/**
 * Creates records until one is refused, and returns that answer. It creates up to one more than the limit allows,
 * because records that are being removed may still count or not.
 */
async function overfill(
  world: World,
  path: string,
  accountId: number,
  most: number,
  body: (serial: number) => object,
): Promise<Answer> {
  for (let serial = 0; ; serial++) {
    const answer = await world.api.post(path, { hosting_account_id: accountId, ...body(serial) });
    if (answer.status !== 201 || serial === most) return answer;
  }
}

const perPage = [
  ['/accounts', 'per_page=100'],
  ['/apps', 'per_page=100'],
].map(([path, query]) =>
  clause(`per_page: ${path} accepts 100 and not 101`, async ({ api }) => {
    (await api.get(`${path}?${query}`)).expect(200).expectAt('per_page', 100);
    const over = await api.get(`${path}?per_page=101`);
    if (over.status === 200)
      expectThat(Number(over.at('per_page')) <= 100, 'at most 100', over.at('per_page'));
    else expectInvalid(over, 'per_page');
  }),
);

const counts = [
  clause('POST /domains enforces max_domains', async (world) => {
    await domainCreated(world);
    const answer = await overfill(
      world,
      '/domains',
      await mainId(world),
      MAIN_LIMITS.max_domains,
      (serial) => ({ domain_name: world.domainName(`fill${serial}`) }),
    );
    expectRefused(answer);
  }),
  clause('POST /databases enforces max_databases', async (world) => {
    const id = await mainId(world);
    expectRefused(await overfill(world, '/databases', id, MAIN_LIMITS.max_databases, () => ({})));
  }),
  clause('POST /apps enforces max_apps', async (world) => {
    await appCreated(world);
    const template_key = await deployable(world);
    const spare = await domainsWithoutApp(world);
    const answer = await overfill(world, '/apps', await mainId(world), MAIN_LIMITS.max_apps, (serial) => ({
      template_key,
      name: `fill${serial}`,
      domain_id: spare[serial % spare.length],
    }));
    expectRefused(answer);
  }),
  clause("POST /cron-jobs enforces the package's max_cron_jobs", async (world) => {
    const id = await packagedId(world);
    const shown = (await world.api.get(`/accounts/${id}`)).expect(200);
    const its = await world.api.get(`/packages/${shown.id('data.package.id')}`);
    const most =
      its.status === 200 ? its.id('data.max_cron_jobs') : Number((await sellPackage(world)).max_cron_jobs);
    if (most > 20) skip(`the account's package allows ${most} cron jobs`);
    expectRefused(await overfill(world, '/cron-jobs', id, most, () => CRON));
  }),
];

async function domainsWithoutApp(world: World): Promise<unknown[]> {
  const used = (await domainCreated(world)).id();
  const answer = await world.api.get(`/domains?hosting_account_id=${await mainId(world)}`);
  const ids = answer
    .expect(200)
    .items()
    .flatMap(({ id }) => (id === used ? [] : [id]));
  return ids.length > 0 ? ids : skip('the account has only one domain');
}

const bulk = clause('GET /accounts/usage/bulk accepts 1 to 100 ids', async (world) => {
  const id = await mainId(world);
  const query = (count: number) =>
    Array.from({ length: count }, (_, index) => `hosting_account_id[]=${id + index}`).join('&');
  (await world.api.get(`/accounts/usage/bulk?${query(100)}`)).expect(200).expectAt('meta.requested', 100);
  expectInvalid(await world.api.get(`/accounts/usage/bulk?${query(101)}`), 'hosting_account_id');
});

const rates = [
  clause('The SSO login URL allows 30 requests a minute, then 429', async ({ anonymous }) => {
    const answer = await exhaust(anonymous, '/sso/login/1?expires=1&signature=0', 30);
    expectMessage(answer, 429);
  }),
  clause('GET /health allows 60 requests a minute, then 429', async ({ anonymous }) => {
    expectMessage(await exhaust(anonymous, '/health', 60), 429);
  }),
  clause(
    'The other endpoints, with /auth/me, allow a user 60 requests a minute, then 429',
    async ({ api }) => {
      expectMessage(await exhaust(api, '/auth/me', 60), 429);
    },
  ),
  clause('All tokens of a user share this limit', async (world) => {
    const answer = await exhaust(world.api, '/auth/me', 60);
    answer.expect(429);
    const other = { method: 'GET', path: '/auth/me', impatient: true };
    (await world.as('read-only').send(other)).expect(429);
  }),
];

/** The other limits: those of single fields are checked in the field's own section. */
export const limits = section('8', 'Limits', ...perPage, bulk, ...counts);

/** Runs last, because it uses up the rate limits. */
export const rateLimits = section('8.R', 'Limits: requests a minute', ...rates);
