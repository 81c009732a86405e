import type { Answer } from '../answer.ts';
import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectMessage, expectRefused } from '../errors.ts';
import {
  appCreated,
  appSettled,
  deployable,
  domainCreated,
  mainId,
  packagedId,
  templates,
} from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { skip } from '../outcome.ts';
import { filtersByAccount, notFound } from '../record-clauses.ts';
import { APP, APP_LISTED, APP_STATUSES, TEMPLATE } from '../resource-shapes.ts';
import type { World } from '../world.ts';
import { zipOf } from '../zip.ts';

async function deploy(world: World, id: number, parts: Record<string, Blob | string>): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts))
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, value, 'site.zip');
  return await world.api.post(`/apps/${id}/deploy-zip`, form);
}

const archive = () =>
  new Blob([zipOf({ 'index.html': '<p>conformance</p>\n', 'index.php': '<?php echo 1;\n' })], {
    type: 'application/zip',
  });

const valid = async (world: World): Promise<Record<string, unknown>> => ({
  hosting_account_id: await mainId(world),
  template_key: await deployable(world),
  name: 'shop',
});

async function installNodeApp(world: World, more: object): Promise<Answer> {
  const template = (await templates(world)).find(({ node_versions }) => Array.isArray(node_versions));
  if (template === undefined) skip('there is no Node.js template');
  const [node_version] = template.node_versions as string[];
  if (node_version === undefined) skip('the server has no Node.js version');
  const body = {
    hosting_account_id: await mainId(world),
    template_key: template.key,
    name: 'api',
    node_version,
    start_command: 'node server.js',
    ...more,
  };
  return (await world.api.post('/apps', body)).expect(201);
}

/** A clause removes it. */
const nodeApp = (world: World) => world.once('a Node app', () => installNodeApp(world, {}));

const install = section(
  '4.25',
  'POST /apps',
  clause('Answers 201 { data: { id, name, template_key, status: installing } }', async (world) => {
    const answer = (await appCreated(world)).expectAt('data.name', 'blog');
    answer.expectAt('data.status', 'installing').expectAt('data.template_key', await deployable(world));
  }),
  clause('hosting_account_id, template_key and name are required', async ({ api }) => {
    const answer = await api.post('/apps', {});
    expectInvalid(answer, 'hosting_account_id', 'template_key', 'name');
  }),
  clause('A template that does not exist: 422', async (world) => {
    const body = { ...(await valid(world)), template_key: 'no-such-template' };
    expectInvalid(await world.api.post('/apps', body), 'template_key');
  }),
  clause('name: at most 64 characters', async (world) => {
    const body = { ...(await valid(world)), name: 'n'.repeat(65) };
    expectInvalid(await world.api.post('/apps', body), 'name');
  }),
  clause('A domain_id of another account: refused', async (world) => {
    const body = { ...(await valid(world)), hosting_account_id: await packagedId(world) };
    const answer = await world.api.post('/apps', { ...body, domain_id: (await domainCreated(world)).id() });
    answer.expect(404, 422);
  }),
  clause('node_version and start_command are accepted for a Node.js template', async (world) => {
    const answer = await nodeApp(world);
    answer.expectAt('data.status', 'installing').expectAt('data.name', 'api');
  }),
  clause('env is returned as env_vars', async (world) => {
    const answer = (await world.api.get(`/apps/${(await appCreated(world)).id()}`)).expect(200);
    const keys = answer.items('data.env_vars').map(({ key }) => key);
    expectThat(keys.includes('GREETING') && keys.includes('API_TOKEN'), 'GREETING and API_TOKEN', keys);
  }),
);

const deployZip = section(
  '4.28',
  'POST /apps/{id}/deploy-zip',
  clause('Answers { message, data: { app, archive_bytes } }', async (world) => {
    const id = (await appCreated(world)).id();
    const before = await appSettled(world);
    const file = archive();
    const answer = await deploy(world, id, { archive: file });
    if (answer.status === 422 && before.at('data.status') === 'installing')
      skip(`the app is still installing after ${world.options.settleMs / 1_000} s`);
    answer.expect(200, 201, 202).expectShape('message', 'string').expectShape('data.app', 'object');
    answer.expectAt('data.archive_bytes', file.size).expectAt('data.app.id', id);
  }),
  clause('GET /apps/{id} shows the status of the app during a deploy', async (world) => {
    const answer = await world.api.get(`/apps/${(await appCreated(world)).id()}`);
    answer.expect(200).expectOneOf('data.status', APP_STATUSES);
  }),
  clause('The file part archive is required', async (world) => {
    const id = (await appCreated(world)).id();
    expectInvalid(await deploy(world, id, { note: 'no file' }), 'archive');
  }),
  clause('A file that is not a ZIP archive: 422', async (world) => {
    const id = (await appCreated(world)).id();
    expectRefused(await deploy(world, id, { archive: new Blob(['this is no archive']) }));
  }),
  clause('An archive with a path outside the deploy root: 422', async (world) => {
    const id = (await appCreated(world)).id();
    const outside = new Blob([zipOf({ '../outside.txt': 'x' })]);
    expectRefused(await deploy(world, id, { archive: outside }));
  }),
  clause('An app that does not exist: 404', async (world) => {
    expectMessage(await deploy(world, NOBODYS_ID, { archive: archive() }), 404);
  }),
);

export const apps = [
  section(
    '4.23',
    'GET /app-templates',
    clause('Answers { data: [App template] }', async ({ api }) => {
      (await api.get('/app-templates')).expect(200).expectShape('data', { listOf: TEMPLATE });
    }),
  ),
  section(
    '4.24',
    'GET /apps',
    clause('Answers the pagination envelope; each item is an app list item', async (world) => {
      await appCreated(world);
      (await world.api.get('/apps'))
        .expect(200)
        .expectAt('per_page', 25)
        .expectShape('data', { listOf: APP_LISTED });
    }),
    filtersByAccount('/apps', appCreated),
    clause("A hosting_account_id that the token's user may not see: refused", async (world) => {
      const id = await mainId(world);
      (await world.as('reseller').get(`/apps?hosting_account_id=${id}`)).expect(403, 404);
    }),
    clause('status filters the list', async (world) => {
      const id = await mainId(world);
      await appCreated(world);
      const rows = (await world.api.get(`/apps?hosting_account_id=${id}&status=removing`))
        .expect(200)
        .items();
      expectThat(
        rows.every(({ status }) => status === 'removing'),
        'apps that are removing',
        rows,
      );
    }),
    ...APP_STATUSES.map((status) =>
      clause(`status ${status} is accepted`, async ({ api }) => {
        (await api.get(`/apps?status=${status}&per_page=1`)).expect(200);
      }),
    ),
    clause('An unknown status: 422', async ({ api }) => {
      expectInvalid(await api.get('/apps?status=sleeping'), 'status');
    }),
  ),
  install,
  section(
    '4.26',
    'GET /apps/{id}',
    clause('Answers { data: App } with env_vars', async (world) => {
      (await world.api.get(`/apps/${(await appCreated(world)).id()}`)).expect(200).expectShape('data', APP);
    }),
    clause("Another reseller's app: 404", async (world) => {
      const id = (await appCreated(world)).id();
      expectMessage(await world.as('reseller').get(`/apps/${id}`), 404);
    }),
    notFound('An app', (api) => api.get(`/apps/${NOBODYS_ID}`)),
  ),
  section(
    '4.27',
    'DELETE /apps/{id}',
    clause("Answers { message: 'App removed' }", async (world) => {
      const id = (await nodeApp(world)).id();
      (await world.api.delete(`/apps/${id}`)).expect(200).expectAt('message', 'App removed');
    }),
    clause('GET answers 404 when the removal is complete', async (world) => {
      const path = `/apps/${(await nodeApp(world)).id()}`;
      const answer = await world.poll(
        () => world.api.get(path),
        ({ status }) => status === 404,
      );
      if (answer.status === 200) answer.expectAt('data.status', 'removing');
      else expectMessage(answer, 404);
    }),
    notFound('An app', (api) => api.delete(`/apps/${NOBODYS_ID}`)),
  ),
  deployZip,
  section(
    '4.29',
    'POST /apps/{id}/deploy-git',
    clause('An app without Git deploy: refused', async (world) => {
      const id = (await appCreated(world)).id();
      expectRefused(await world.api.post(`/apps/${id}/deploy-git`));
    }),
    clause('Pulls and rebuilds a Node.js app that has Git deploy', async (world) => {
      const repository = world.options.gitRepository ?? skip('needs --git-repository URL');
      const id = (await installNodeApp(world, { name: 'git', git: { repository, branch: 'main' } })).id();
      (await world.api.post(`/apps/${id}/deploy-git`)).expect(200, 201, 202);
    }),
    notFound('An app', (api) => api.post(`/apps/${NOBODYS_ID}/deploy-git`)),
  ),
];
