import type { Answer } from '../answer.ts';
import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectMessage, expectRefused } from '../errors.ts';
import { CRON, cronCreated, mainId } from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { skip } from '../outcome.ts';
import { filtersByAccount, notFound } from '../record-clauses.ts';
import { CRON_JOB } from '../resource-shapes.ts';
import type { World } from '../world.ts';

const REFUSED_COMMANDS: [words: string, command: string][] = [
  [';', 'php a.php; php b.php'],
  ['|', 'php a.php | php b.php'],
  ['&', 'php a.php & php b.php'],
  ['a backtick', 'php `which a`'],
  ['$()', 'php $(which a)'],
  ['sudo', 'sudo php a.php'],
  ['su', 'su root'],
  ['a redirect into /etc', 'php a.php > /etc/passwd'],
  ['a redirect into /usr', 'php a.php >> /usr/bin/php'],
];
const REFUSED_SCHEDULES = ['every day', '* * * *', '61 * * * *', '* * * * * * *'];

const path = async (world: World) => `/cron-jobs/${(await cronCreated(world)).id()}`;

const create = async (world: World, changes: object) =>
  await world.api.post('/cron-jobs', { hosting_account_id: await mainId(world), ...CRON, ...changes });

/** A second job; a clause removes it. */
const unnamed = (world: World): Promise<Answer> =>
  world.once('a cron job without a name', async () => {
    const answer = await create(world, { name: undefined });
    if (answer.status === 422 && answer.at('error') !== undefined)
      skip('the package of accounts with custom limits allows only one cron job');
    return answer.expect(201);
  });

const change = async (world: World, body: object) => await world.api.patch(await path(world), body);

const creation = section(
  '4.38',
  'POST /cron-jobs',
  clause('Answers 201 { data: { id, name, enabled } }', async (world) => {
    const answer = (await cronCreated(world)).expectShape('data', CRON_JOB);
    for (const [field, value] of Object.entries(CRON)) answer.expectAt(`data.${field}`, value);
  }),
  clause('name is optional, and generated when it is omitted', async (world) => {
    const answer = await unnamed(world);
    expectThat(answer.expect(201).string('data.name') !== '', 'a name', answer.excerpt());
  }),
  clause('hosting_account_id, schedule and command are required', async ({ api }) => {
    expectInvalid(await api.post('/cron-jobs', {}), 'hosting_account_id', 'schedule', 'command');
  }),
  ...REFUSED_SCHEDULES.map((schedule) =>
    clause(`"${schedule}", which is not a schedule: 422`, async (world) => {
      expectRefused(await create(world, { schedule }));
    }),
  ),
  clause('A command of 2001 characters: 422', async (world) => {
    expectInvalid(await create(world, { command: 'a'.repeat(2_001) }), 'command');
  }),
  ...REFUSED_COMMANDS.map(([words, command]) =>
    clause(`A command with ${words}: 422`, async (world) => expectRefused(await create(world, { command }))),
  ),
  clause('A refused request creates no cron job', async (world) => {
    const answer = await world.api.get(`/cron-jobs?hosting_account_id=${await mainId(world)}`);
    const rows = answer.expect(200).items();
    expectThat(
      rows.every(({ command }) => command === CRON.command),
      CRON.command,
      rows,
    );
  }),
);

const update = section(
  '4.40',
  'PATCH /cron-jobs/{id}',
  clause('schedule and command are required, name and enabled optional', async (world) => {
    expectInvalid(await change(world, { name: 'x' }), 'schedule', 'command');
    const body = { schedule: '0 3 * * 1-5', command: 'php weekly.php' };
    (await change(world, body)).expect(200);
    const shown = (await world.api.get(await path(world))).expect(200);
    shown.expectAt('data.schedule', body.schedule).expectAt('data.command', body.command);
    shown.expectAt('data.name', CRON.name).expectAt('data.enabled', true);
  }),
  clause('enabled turns the job off and on', async (world) => {
    const body = { schedule: CRON.schedule, command: CRON.command };
    (await change(world, { ...body, enabled: false })).expect(200);
    (await world.api.get(await path(world))).expectAt('data.enabled', false);
    (await change(world, { ...body, enabled: true })).expect(200);
    (await world.api.get(await path(world))).expectAt('data.enabled', true);
  }),
  clause("name changes the job's name", async (world) => {
    (await change(world, { ...CRON, name: 'renamed' })).expect(200);
    (await world.api.get(await path(world))).expectAt('data.name', 'renamed');
  }),
  ...REFUSED_COMMANDS.map(([words, command]) =>
    clause(`A command with ${words}: 422`, async (world) => {
      expectRefused(await change(world, { ...CRON, command }));
    }),
  ),
  clause('An invalid schedule: 422', async (world) => {
    expectRefused(await change(world, { ...CRON, schedule: 'daily' }));
  }),
  notFound('A cron job', (api) => api.patch(`/cron-jobs/${NOBODYS_ID}`, CRON)),
);

export const cronJobs = [
  section(
    '4.37',
    'GET /cron-jobs',
    clause('Answers the pagination envelope; each item is a Cron job', async (world) => {
      await cronCreated(world);
      (await world.api.get('/cron-jobs'))
        .expect(200)
        .expectAt('per_page', 25)
        .expectShape('data', { listOf: CRON_JOB });
    }),
    filtersByAccount('/cron-jobs', cronCreated),
  ),
  creation,
  section(
    '4.39',
    'GET /cron-jobs/{id}',
    clause('Answers { data: Cron job }', async (world) => {
      const answer = (await world.api.get(await path(world))).expect(200).expectShape('data', CRON_JOB);
      answer.expectAt('data.hosting_account_id', await mainId(world));
    }),
    notFound('A cron job', (api) => api.get(`/cron-jobs/${NOBODYS_ID}`)),
    clause("Another reseller's cron job: 404", async (world) => {
      expectMessage(await world.as('reseller').get(await path(world)), 404);
    }),
  ),
  update,
  section(
    '4.41',
    'DELETE /cron-jobs/{id}',
    clause("Answers { message: 'Cron job removed' }", async (world) => {
      const id = (await unnamed(world)).id();
      (await world.api.delete(`/cron-jobs/${id}`)).expect(200).expectAt('message', 'Cron job removed');
      expectMessage(await world.api.get(`/cron-jobs/${id}`), 404);
    }),
    notFound('A cron job', (api) => api.delete(`/cron-jobs/${NOBODYS_ID}`)),
  ),
];
