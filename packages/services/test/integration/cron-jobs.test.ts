import {
  createCronJob,
  getCronJob,
  type NewCronJob,
  removeCronJob,
  suspendAccount,
  updateCronJob,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, auditOf, open, reportNewest, rowOf, specOf } from './fixtures.ts';
import { expectRace, expectRefusal } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newAccount, newestAudit } = rig;

const job = { schedule: '*/5 * * * *', command: 'php cron.php' };
const add = (hosting_account_id: number, more: Partial<NewCronJob> = {}) =>
  createCronJob(admin(), { hosting_account_id, ...job, ...more });
const show = (cron_job_id: number) => getCronJob(admin(), { cron_job_id });
const jobsIn = async (accountId: number) => (await specOf(rig.db, accountId)).cron_jobs;

describe('adding', () => {
  test('the job is enabled, in the spec of the next generation, audited, and synced with its report', async () => {
    const id = await newAccount();
    const ctx = admin();
    const { view, generation } = await createCronJob(ctx, {
      hosting_account_id: id,
      name: 'Nightly',
      ...job,
    });
    const { username } = await rowOf(rig.db, id);
    expect(view).toEqual({
      id: view.id,
      hosting_account_id: id,
      name: 'Nightly',
      ...job,
      enabled: true,
      synced: false,
      hosting_account: { id, username },
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
    expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId: id, generation: 2 }]);
    expect(await jobsIn(id)).toEqual([{ cron_job_id: view.id, ...job, enabled: true }]);
    expect(await newestAudit(id)).toEqual({
      action: 'cron-job.create',
      target: `cron-job:${view.id}`,
      after: { name: 'Nightly', ...job, enabled: true },
      generation,
    });
    await reportNewest(rig.db, id);
    expect((await show(view.id)).synced).toBe(true);
  });

  test('a job without a name gets one', async () => {
    expect((await add(await newAccount())).view.name).toMatch(/^cron-[a-z0-9]{6}$/);
  });

  test('no account has more than 500 jobs, even with a higher limit', async () => {
    const many = await addPackage(rig.db, { max_cron_jobs: 1_000 });
    const id = (await open(admin(), { package_id: many })).accountId;
    const now = new Date();
    const row = { account_id: id, name: 'x', ...job, enabled: true, created_at: now, updated_at: now };
    await rig.db
      .insertInto('cron_jobs')
      .values(Array.from({ length: 500 }, () => row))
      .execute();
    await expectRefusal(add(id), { message: 'Cron job limit reached (500).' });
    expect(await jobsIn(id)).toHaveLength(500);
  });
});

describe('changing', () => {
  test('omitted fields stay; the others are in the next generation and in the audit log', async () => {
    const id = await newAccount();
    const { view } = await add(id, { name: 'Nightly' });
    const wanted = { schedule: '@daily', command: 'php other.php' };
    const changed = await updateCronJob(admin(), { cron_job_id: view.id, ...wanted });
    expect(changed).toMatchObject({
      generation: 3,
      view: { name: 'Nightly', enabled: true, ...wanted, synced: false },
    });
    await updateCronJob(admin(), { cron_job_id: view.id, enabled: true });
    expect((await jobsIn(id))?.[0]).toMatchObject(wanted);
    await updateCronJob(admin(), { cron_job_id: view.id, ...wanted, name: 'Weekly', enabled: false });
    expect(await jobsIn(id)).toEqual([{ cron_job_id: view.id, ...wanted, enabled: false }]);
    expect(await show(view.id)).toMatchObject({ name: 'Weekly', enabled: false });
    expect(await newestAudit(id)).toEqual({
      action: 'cron-job.update',
      target: `cron-job:${view.id}`,
      name: 'Nightly',
      before: { name: 'Nightly', enabled: true },
      after: { name: 'Weekly', enabled: false },
      generation: 5,
    });
    await updateCronJob(admin(), { cron_job_id: view.id, ...wanted });
    expect((await show(view.id)).enabled).toBe(false);
  });

  test('12 concurrent changes make 12 generations', async () => {
    const id = await newAccount();
    const { view } = await add(id);
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        updateCronJob(admin(), { cron_job_id: view.id, schedule: '@daily', command: `echo ${n}` }),
      ),
    );
    expect((await rowOf(rig.db, id)).generation).toBe(14);
  });
});

describe('removing', () => {
  test('deletes the row and the job in the spec', async () => {
    const id = await newAccount();
    const [one, other] = [(await add(id, { name: 'one' })).view, (await add(id)).view];
    const { generation } = await removeCronJob(admin(), { cron_job_id: one.id });
    await expectRefusal(show(one.id), 'not_found');
    await expectRefusal(removeCronJob(admin(), { cron_job_id: one.id }), 'not_found');
    expect((await jobsIn(id)).map(({ cron_job_id }) => cron_job_id)).toEqual([other.id]);
    expect(await newestAudit(id)).toEqual({
      action: 'cron-job.delete',
      target: `cron-job:${one.id}`,
      before: { name: 'one', ...job, enabled: true },
      generation,
    });
  });

  test('of 16 concurrent removals of one job, one succeeds', async () => {
    const { view } = await add(await newAccount());
    await expectRace({ calls: 16, winners: 1, refusal: 'not_found' }, () =>
      removeCronJob(admin(), { cron_job_id: view.id }),
    );
  });
});

test('the jobs of a suspended account may be written', async () => {
  const id = await newAccount();
  const cron_job_id = (await add(id)).view.id;
  await suspendAccount(admin(), { account_id: id });
  await add(id);
  await updateCronJob(admin(), { cron_job_id, ...job });
  expect(await auditOf(rig.db, id)).toEqual([
    'account.create',
    'cron-job.create',
    'account.suspend',
    'cron-job.create',
    'cron-job.update',
  ]);
});
