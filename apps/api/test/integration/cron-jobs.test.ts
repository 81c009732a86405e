import { beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let account: { id: number; username: string };
beforeEach(async () => {
  account = await rig.createAccount();
});

const job = { schedule: '*/5 * * * *', command: 'php cron.php' };
const add = (more: object = {}) =>
  rig.ask('createCronJob', { body: { hosting_account_id: account.id, ...job, ...more } });
const onNode = () => rig.node.accounts.get(account.id)?.cron_jobs;

it('the node has a new cron job when the API answers, with one space between the fields of its schedule', async () => {
  const { status, body } = await add({ name: ' Nightly ', schedule: ' 0   3 * *  sun ' });
  const stored = { schedule: '0 3 * * sun', command: job.command, enabled: true };
  expect([status, body.data]).toMatchObject([
    201,
    {
      hosting_account_id: account.id,
      hosting_account: { id: account.id, username: account.username },
      name: 'Nightly',
      ...stored,
      synced: true,
    },
  ]);
  expect(onNode()).toEqual([{ cron_job_id: body.data.id, ...stored }]);
  const listed = await rig.ask('listCronJobs', { query: `hosting_account_id=${account.id}` });
  expect(listed.body.data).toMatchObject([{ id: body.data.id, ...stored }]);
  expect(listed.body.data[0]).not.toHaveProperty('hosting_account');
});

it.each([
  'php artisan schedule:run > /dev/null',
  "date '+%F' >> ~/log 2>/dev/null",
  'curl -fsS "https://a.example/?key=$KEY"',
  `echo ${'ü'.repeat(1_990)}`,
])('the node gets the command %.60j unchanged', async (command) => {
  expect((await add({ command })).body.data.command).toBe(command);
  expect(onNode()?.[0]?.command).toBe(command);
});

it('the node has a changed cron job when the API answers, and none that is removed', async () => {
  const { id } = (await add({ name: 'Nightly' })).body.data;
  const change = async (more: object) =>
    (await rig.ask('updateCronJob', { id, body: { ...job, ...more } })).body.data;
  const daily = { schedule: '@daily', command: job.command, enabled: false };
  expect(await change({ schedule: '@Daily', enabled: '0' })).toMatchObject({
    id,
    name: 'Nightly',
    ...daily,
    synced: true,
  });
  expect(onNode()).toEqual([{ cron_job_id: id, ...daily }]);
  rig.node.behaviour.fail = () => 'permanently';
  expect(await change({ command: 'php other.php' }), 'committed although the node fails').toMatchObject({
    command: 'php other.php',
    synced: false,
  });
  rig.node.behaviour.fail = () => undefined;
  const removed = await rig.ask('removeCronJob', { id });
  expect([removed.status, removed.body]).toEqual([200, { message: 'Cron job removed' }]);
  expect(onNode()).toEqual([]);
  expect((await rig.ask('getCronJob', { id })).status).toBe(404);
});
