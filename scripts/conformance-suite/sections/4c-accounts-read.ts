import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid } from '../errors.ts';
import { appCreated, domainCreated, mainCreated, mainId, packagedId } from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { brief, fail } from '../outcome.ts';
import { notFound } from '../record-clauses.ts';
import { ACCOUNT_LISTED, USAGE } from '../resource-shapes.ts';

export const accountReads = [
  section(
    '4.5',
    'GET /accounts',
    clause('Answers the pagination envelope; each item has the six fields', async (world) => {
      await mainCreated(world);
      (await world.api.get('/accounts')).expect(200).expectShape('data', { listOf: ACCOUNT_LISTED });
    }),
    clause('username matches exactly, in any case, and answers 0 or 1 row', async (world) => {
      const id = await mainId(world);
      const upper = world.username('main').toUpperCase();
      (await world.api.get(`/accounts?username=${upper}`))
        .expect(200)
        .expectAt('data.0.id', id)
        .expectAt('total', 1);
      const part = world.username('main').slice(0, -1);
      (await world.api.get(`/accounts?username=${part}`))
        .expect(200)
        .expectAt('data', [])
        .expectAt('total', 0);
    }),
    clause('per_page is 25 by default', async ({ api }) => {
      (await api.get('/accounts')).expect(200).expectAt('per_page', 25).expectAt('current_page', 1);
    }),
    clause('per_page and page select a page of the list', async (world) => {
      await mainCreated(world);
      await packagedId(world);
      const first = (await world.api.get('/accounts?per_page=1&page=1')).expect(200).expectAt('per_page', 1);
      const second = (await world.api.get('/accounts?per_page=1&page=2'))
        .expect(200)
        .expectAt('current_page', 2);
      expectThat(first.items().length === 1 && second.items().length === 1, 'one row each', first.excerpt());
      expectThat(first.at('data.0.id') !== second.at('data.0.id'), 'another row', second.excerpt());
      first.expectAt('last_page', first.at('total'));
    }),
  ),
  section(
    '4.6',
    'GET /accounts/check-username',
    clause('A free username: { data: { username, available: true } }', async (world) => {
      const username = world.username('free');
      const answer = await world.api.get(`/accounts/check-username?username=${username}`);
      answer.expect(200).expectAt('data.username', username).expectAt('data.available', true);
    }),
    clause('A taken username: available is false', async (world) => {
      await mainCreated(world);
      const answer = await world.api.get(`/accounts/check-username?username=${world.username('main')}`);
      answer.expect(200).expectAt('data.available', false);
    }),
    clause('The username of a panel user: available is false, without the owner', async (world) => {
      const username = (await world.api.get('/auth/me')).string('user.username');
      const answer = await world.api.get(`/accounts/check-username?username=${encodeURIComponent(username)}`);
      answer.expect(200).expectAt('data.available', false);
      const names = Object.keys(answer.at('data') as object).sort();
      expectThat(names.join() === 'available,username', 'username and available alone', names);
    }),
    clause('username is normalised to lower case', async (world) => {
      const username = world.username('upper');
      const answer = await world.api.get(`/accounts/check-username?username=${username.toUpperCase()}`);
      answer.expect(200).expectAt('data.username', username);
    }),
    ...['', 'ab', 'a'.repeat(17), 'a b c', 'a!b'].map((username) =>
      clause(`An invalid format, "${username}": 422`, async ({ api }) => {
        const query = `username=${encodeURIComponent(username)}`;
        expectInvalid(await api.get(`/accounts/check-username?${query}`), 'username');
      }),
    ),
  ),
  section(
    '4.8',
    'GET /accounts/{id}',
    clause('Answers { data: Account } with package {id, name, disk_mb}', async (world) => {
      const answer = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
      answer.expectShape('data.package', { fields: { id: 'int', name: 'string', disk_mb: 'int' } });
    }),
    clause('include=apps adds up to 10 apps with template_name', async (world) => {
      const { id, account } = { id: (await appCreated(world)).id(), account: await mainId(world) };
      const answer = (await world.api.get(`/accounts/${account}?include=apps`)).expect(200);
      const apps = answer.items('data.apps');
      const found = apps.find((app) => app.id === id) ?? fail('the app in data.apps', apps);
      expectThat(typeof found.template_name === 'string', 'template_name', found);
      answer.expectAt('data.apps_count', apps.length);
    }),
    clause('include=usage adds the snapshot of the usage endpoint', async (world) => {
      const id = await mainId(world);
      const answer = (await world.api.get(`/accounts/${id}?include=usage`)).expect(200);
      answer.expectShape('data.usage', USAGE);
      const alone = (await world.api.get(`/accounts/${id}/usage`)).expect(200);
      answer.expectAt('data.usage', alone.at('data'));
    }),
    clause('include=apps,usage adds both', async (world) => {
      const answer = await world.api.get(`/accounts/${await mainId(world)}?include=apps,usage`);
      answer.expect(200).expectShape('data.usage', USAGE).expectShape('data.apps', { listOf: 'object' });
    }),
    clause("The account's domains are included", async (world) => {
      const domain = await domainCreated(world);
      const answer = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
      const ids = answer.items('data.domains').map(({ id }) => id);
      expectThat(ids.includes(domain.id()), `domain ${domain.id()} in data.domains`, ids);
    }),
    notFound('An account', (api) => api.get(`/accounts/${NOBODYS_ID}`)),
  ),
  section(
    '4.13',
    'GET /accounts/{id}/usage',
    clause("Answers the snapshot with the account's own limits", async (world) => {
      const created = await mainCreated(world);
      const answer = (await world.api.get(`/accounts/${created.id()}/usage`)).expect(200);
      for (const field of ['disk_limit_mb', 'cpu_limit_percent', 'ram_limit_mb'])
        answer.expectShape(`data.${field}`, 'int');
    }),
    notFound('An account', (api) => api.get(`/accounts/${NOBODYS_ID}/usage`)),
    clause('Snapshots are cached: two requests in a row get the same one', async (world) => {
      const path = `/accounts/${await mainId(world)}/usage`;
      const first = (await world.api.get(path)).expect(200);
      (await world.api.get(path)).expect(200).expectAt('data', first.at('data'));
    }),
  ),
  section(
    '4.14',
    'GET /accounts/usage/bulk',
    clause(
      'Answers { data: { <id>: snapshot }, meta }; unknown ids are only in missing_ids',
      async (world) => {
        const ids = [await mainId(world), await packagedId(world)];
        const query = [...ids, NOBODYS_ID].map((id) => `hosting_account_id[]=${id}`).join('&');
        const answer = (await world.api.get(`/accounts/usage/bulk?${query}`)).expect(200);
        for (const id of ids) answer.expectShape(`data.${id}`, USAGE);
        answer.expectAt('meta', { requested: 3, returned: 2, missing_ids: [NOBODYS_ID] });
        const names = Object.keys(answer.at('data') as object);
        expectThat(names.length === 2, 'two snapshots', names);
      },
    ),
    clause('The answer comes from the cache of the usage endpoint', async (world) => {
      const id = await mainId(world);
      const alone = (await world.api.get(`/accounts/${id}/usage`)).expect(200);
      const answer = await world.api.get(`/accounts/usage/bulk?hosting_account_id[]=${id}`);
      answer.expect(200).expectAt(`data.${id}`, alone.at('data'));
    }),
    clause('Duplicates are ignored', async (world) => {
      const id = await mainId(world);
      const query = `hosting_account_id[]=${id}&hosting_account_id[]=${id}`;
      (await world.api.get(`/accounts/usage/bulk?${query}`)).expect(200).expectAt('meta.returned', 1);
    }),
    clause('hosting_account_id is required', async ({ api }) => {
      expectInvalid(await api.get('/accounts/usage/bulk'), 'hosting_account_id');
    }),
    clause('Ids are integers', async ({ api }) => {
      const answer = await api.get('/accounts/usage/bulk?hosting_account_id[]=abc');
      expectInvalid(answer);
    }),
    clause('For a reseller, ids of other accounts are in missing_ids', async (world) => {
      const id = await mainId(world);
      const answer = await world.as('reseller').get(`/accounts/usage/bulk?hosting_account_id[]=${id}`);
      answer.expect(200).expectAt('meta.missing_ids', [id]).expectAt('meta.returned', 0);
    }),
    clause('The route takes precedence over /accounts/{id}', async (world) => {
      const answer = await world.api.get(`/accounts/usage/bulk?hosting_account_id[]=${await mainId(world)}`);
      expectThat(answer.status !== 404, '200', brief(answer.status));
    }),
  ),
];
