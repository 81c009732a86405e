import { clause, expectThat, section } from '../clause.ts';
import {
  appCreated,
  cronCreated,
  databaseCreated,
  domainCreated,
  mainCreated,
  mainId,
  packages,
  templates,
} from '../fixtures.ts';
import { fail, skip } from '../outcome.ts';
import {
  ACCOUNT_LIMITS,
  ACCOUNT_LISTED,
  APP,
  APP_LISTED,
  CRON_JOB,
  DATABASE,
  DOMAIN,
  PACKAGE,
  TEMPLATE,
  USAGE,
} from '../resource-shapes.ts';
import { expectShape, type Shape } from '../shape.ts';
import type { World } from '../world.ts';

const ENVELOPE: Shape = {
  fields: { current_page: 'int', data: { listOf: 'object' }, per_page: 'int', total: 'int' },
};
const OWNER: Shape = { fields: { hosting_account: 'object' } };

const lists = ['/accounts', '/domains', '/apps', '/databases', '/cron-jobs'];

async function firstListed(world: World, path: string): Promise<Record<string, unknown>> {
  const answer = (await world.api.get(`${path}?hosting_account_id=${await mainId(world)}`)).expect(200);
  return answer.items()[0] ?? fail(`${answer.request}: a row`, answer.excerpt());
}

export const resources = [
  section(
    '2.1',
    'Pagination envelope',
    ...lists.map((path) =>
      clause(`GET ${path} answers current_page, data, per_page and total`, async ({ api }) => {
        (await api.get(`${path}?per_page=1`)).expect(200).expectShape('', ENVELOPE);
      }),
    ),
    clause('GET /accounts also answers last_page', async ({ api }) => {
      (await api.get('/accounts?per_page=1')).expect(200).expectShape('last_page', 'int');
    }),
    clause('GET /packages answers { data: [...] } without pagination', async ({ api }) => {
      const answer = (await api.get('/packages')).expect(200).expectShape('data', { listOf: 'object' });
      expectThat(Object.keys(answer.body as object).join() === 'data', 'data alone', answer.excerpt());
    }),
  ),
  section(
    '2.2',
    'Package',
    clause("A package has every field of the specification's table, with its type", async (world) => {
      for (const found of await packages(world)) expectShape(found, PACKAGE, `package ${found.id}`);
    }),
    clause("An admin's token lists all active packages", async (world) => {
      const all = await packages(world);
      expectThat(all.length > 0, 'at least one package', all);
      expectThat(
        all.every((found) => found.is_active === true),
        'active packages alone',
        all,
      );
    }),
    clause("A reseller's token lists its own packages and those assigned to it", async (world) => {
      const answer = (await world.as('reseller').get('/packages')).expect(200);
      expectShape(answer.at('data'), { listOf: PACKAGE }, 'data');
    }),
  ),
  section(
    '2.3',
    'Hosting account',
    clause(
      'A list item has id, username, email, status, package {id, name} and created_at',
      async (world) => {
        await mainCreated(world);
        const answer = await world.api.get(`/accounts?username=${world.username('main')}`);
        answer.expect(200).expectShape('data', { listOf: ACCOUNT_LISTED });
        expectThat(answer.items().length === 1, 'one account', answer.excerpt());
      },
    ),
    clause('A created account also has linux_user, home_path and package_id', async (world) => {
      const fields = { id: 'int', linux_user: 'string', home_path: 'string', package_id: 'int' } as const;
      (await mainCreated(world)).expectShape('data', { fields });
    }),
    clause('An account has its effective limits; null means unlimited', async (world) => {
      (await mainCreated(world)).expectShape('data', ACCOUNT_LIMITS);
    }),
    clause('GET /accounts/{id} has domains with {id, domain_name, is_primary}', async (world) => {
      await domainCreated(world);
      const answer = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
      const domain: Shape = { fields: { id: 'int', domain_name: 'string', is_primary: 'bool' } };
      answer.expectShape('data.domains', { listOf: domain });
      expectThat(answer.items('data.domains').length > 0, 'a domain', answer.excerpt());
    }),
    clause('GET /accounts/{id} has apps_count and apps_limit (the effective max_apps)', async (world) => {
      const answer = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
      answer.expectShape('data', { fields: { apps_count: 'int', apps_limit: 'int', max_apps: 'int' } });
      answer.expectAt('data.apps_limit', answer.at('data.max_apps'));
    }),
  ),
  section(
    '2.4',
    'Usage snapshot',
    clause('A snapshot has eight integers: used and limit of disk, bandwidth, CPU and RAM', async (world) => {
      (await world.api.get(`/accounts/${await mainId(world)}/usage`)).expect(200).expectShape('data', USAGE);
    }),
  ),
  section(
    '2.5',
    'Domain',
    clause('A domain has id, domain_name, hosting_account_id and is_primary', async (world) => {
      (await domainCreated(world)).expectShape('data', DOMAIN);
      expectShape(await firstListed(world, '/domains'), DOMAIN, 'data[0]');
    }),
    clause('GET /domains/{id} has hosting_account', async (world) => {
      const id = (await domainCreated(world)).id();
      (await world.api.get(`/domains/${id}`))
        .expect(200)
        .expectShape('data', DOMAIN)
        .expectShape('data', OWNER);
    }),
  ),
  section(
    '2.6',
    'App template',
    clause('A template has key, name, description, icon, requires_domain and env_schema', async (world) => {
      const all = await templates(world);
      expectThat(all.length > 0, 'at least one template', all);
      for (const template of all) expectShape(template, TEMPLATE, `template ${template.key}`);
    }),
    clause('node_versions is a list of strings, and only Node.js templates have it', async (world) => {
      const all = await templates(world);
      const withVersions = all.filter((template) => 'node_versions' in template);
      for (const { key, node_versions } of withVersions)
        expectShape(node_versions, 'list of strings', `${key}.node_versions`);
      const wrong = withVersions.filter(({ key }) => ['php', 'static', 'wordpress'].includes(String(key)));
      expectThat(wrong.length === 0, 'no node_versions on PHP and static templates', wrong);
    }),
    clause('requires_domain is true for PHP and static runtimes', async (world) => {
      const plain = (await templates(world)).filter(({ key }) => key === 'php' || key === 'static');
      if (plain.length === 0) skip('there is no template php or static');
      for (const { key, requires_domain } of plain)
        expectThat(requires_domain === true, `${key}.requires_domain is true`, requires_domain);
    }),
  ),
  section(
    '2.7',
    'Installed app',
    clause(
      'A list item has the fields of the specification, and its domain as {id, domain_name}',
      async (world) => {
        await appCreated(world);
        expectShape(await firstListed(world, '/apps'), APP_LISTED, 'data[0]');
      },
    ),
    clause('GET /apps/{id} also has env_vars with {id, key, value, is_secret}', async (world) => {
      const id = (await appCreated(world)).id();
      (await world.api.get(`/apps/${id}`)).expect(200).expectShape('data', APP);
    }),
    clause('A secret value is returned as null with is_secret true', async (world) => {
      const answer = (await world.api.get(`/apps/${(await appCreated(world)).id()}`)).expect(200);
      const shown = answer
        .items('data.env_vars')
        .filter(({ is_secret, value }) => is_secret && value !== null);
      expectThat(
        shown.length === 0,
        'no value beside is_secret true',
        shown.map(({ key }) => key),
      );
      const plain = answer.items('data.env_vars').find(({ key }) => key === 'GREETING');
      expectThat(plain?.value === 'hello', 'the value of a variable that is no secret', plain);
    }),
  ),
  section(
    '2.8',
    'Database',
    clause("A database has every field of the specification's table", async (world) => {
      (await databaseCreated(world)).expectShape('data', DATABASE);
      expectShape(await firstListed(world, '/databases'), DATABASE, 'data[0]');
    }),
    clause('GET /databases/{id} has hosting_account', async (world) => {
      const id = (await databaseCreated(world)).id();
      (await world.api.get(`/databases/${id}`))
        .expect(200)
        .expectShape('data', DATABASE)
        .expectShape('data', OWNER);
    }),
    clause('allowed_ips is null when no address is allowed', async (world) => {
      (await databaseCreated(world)).expectAt('data.allowed_ips', null);
    }),
  ),
  section(
    '2.9',
    'Cron job',
    clause('A cron job has id, hosting_account_id, name, schedule, command and enabled', async (world) => {
      (await cronCreated(world)).expectShape('data', CRON_JOB);
      expectShape(await firstListed(world, '/cron-jobs'), CRON_JOB, 'data[0]');
    }),
    clause('GET /cron-jobs/{id} has hosting_account', async (world) => {
      const id = (await cronCreated(world)).id();
      (await world.api.get(`/cron-jobs/${id}`))
        .expect(200)
        .expectShape('data', CRON_JOB)
        .expectShape('data', OWNER);
    }),
  ),
];
