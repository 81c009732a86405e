import { accountSpecSchema } from '@innkeeper/protocol';
import {
  createCronJob,
  getCronJob,
  listCronJobs,
  type NewCronJob,
  removeCronJob,
  suspendAccount,
  terminateAccount,
  updateCronJob,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, open, reportNewest, rowOf, specOf } from './fixtures.ts';
import { refusalOf } from './records.ts';

const rig = useDatabaseRig();
const { admin, newAccount, newestAudit } = rig;

const job = { schedule: '*/5 * * * *', command: 'php cron.php' };
const add = (hosting_account_id: number, more: Partial<NewCronJob> = {}) =>
  createCronJob(admin(), { hosting_account_id, ...job, ...more });
const show = (cron_job_id: number) => getCronJob(admin(), { cron_job_id });
const jobsIn = async (accountId: number) =>
  accountSpecSchema.parse(await specOf(rig.db, accountId)).cron_jobs;

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

  test('without a name it gets one', async () => {
    expect((await add(await newAccount())).view.name).toMatch(/^cron-[a-z0-9]{6}$/);
  });

  test('of 32 at once exactly as many succeed as the account may have', async () => {
    const id = await newAccount();
    const results = await Promise.allSettled(Array.from({ length: 32 }, () => add(id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'quota_exceeded',
          message: 'Cron job limit reached (5).',
        });
    expect((await rowOf(rig.db, id)).generation).toBe(6);
  });

  test('one that is removed makes room at once', async () => {
    const id = await newAccount();
    const made = await Promise.all(Array.from({ length: 5 }, () => add(id)));
    await removeCronJob(admin(), { cron_job_id: made[0]?.view.id ?? 0 });
    await add(id);
    expect(await refusalOf(add(id))).toMatchObject({ code: 'quota_exceeded' });
  });

  test('no account has more than a node takes, whatever its limit', async () => {
    const many = await addPackage(rig.db, { max_cron_jobs: 1_000 });
    const id = (await open(admin(), { package_id: many })).accountId;
    const now = new Date();
    const row = { account_id: id, name: 'x', ...job, enabled: true, created_at: now, updated_at: now };
    await rig.db
      .insertInto('cron_jobs')
      .values(Array.from({ length: 500 }, () => row))
      .execute();
    expect(await refusalOf(add(id))).toMatchObject({ message: 'Cron job limit reached (500).' });
    expect(await jobsIn(id)).toHaveLength(500);
  });
});

describe('changing', () => {
  test('what is left out stays, the rest is in the next generation and in the audit log', async () => {
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

  test('of many at once each is a generation of its own', async () => {
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
  test('takes the row and the line of the spec at once', async () => {
    const id = await newAccount();
    const [one, other] = [(await add(id, { name: 'one' })).view, (await add(id)).view];
    const { generation } = await removeCronJob(admin(), { cron_job_id: one.id });
    expect(await refusalOf(show(one.id))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(removeCronJob(admin(), { cron_job_id: one.id }))).toMatchObject({
      code: 'not_found',
    });
    expect((await jobsIn(id)).map(({ cron_job_id }) => cron_job_id)).toEqual([other.id]);
    expect(await newestAudit(id)).toEqual({
      action: 'cron-job.delete',
      target: `cron-job:${one.id}`,
      before: { name: 'one', ...job, enabled: true },
      generation,
    });
  });

  test('of one job at once succeeds once', async () => {
    const { view } = await add(await newAccount());
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, () => removeCronJob(admin(), { cron_job_id: view.id })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'not_found' });
  });
});

test('a suspended account’s jobs may be written, those of one that is being terminated not', async () => {
  const id = await newAccount();
  const cron_job_id = (await add(id)).view.id;
  await suspendAccount(admin(), { account_id: id });
  await add(id);
  await updateCronJob(admin(), { cron_job_id, ...job });
  await terminateAccount(admin(), { account_id: id });
  for (const work of [
    () => add(id),
    () => updateCronJob(admin(), { cron_job_id, ...job }),
    () => removeCronJob(admin(), { cron_job_id }),
  ])
    expect(await refusalOf(work())).toMatchObject({
      code: 'precondition_failed',
      message: 'This account is being terminated.',
    });
  expect((await show(cron_job_id)).id).toBe(cron_job_id);
  expect(await auditOf(rig.db, id)).toEqual([
    'account.create',
    'cron-job.create',
    'account.suspend',
    'cron-job.create',
    'cron-job.update',
    'account.terminate',
  ]);
});

describe('scope', () => {
  test('another reseller’s jobs and accounts are as unknown as what does not exist', async () => {
    const owner = await addReseller(rig.db);
    const stranger = await addReseller(rig.db);
    const own = await addPackage(rig.db, { owner: owner.username });
    const account = (await open(owner, { package_id: own })).accountId;
    const { view } = await createCronJob(owner, { hosting_account_id: account, ...job });
    for (const cron_job_id of [view.id, 9_999_999])
      for (const work of [
        () => getCronJob(stranger, { cron_job_id }),
        () => updateCronJob(stranger, { cron_job_id, ...job }),
        () => removeCronJob(stranger, { cron_job_id }),
      ])
        expect(await refusalOf(work())).toMatchObject({ code: 'not_found' });
    for (const hosting_account_id of [account, 9_999_999])
      for (const work of [
        () => createCronJob(stranger, { hosting_account_id, ...job }),
        () => listCronJobs(stranger, { hosting_account_id, page: 1, per_page: 25 }),
      ])
        expect(await refusalOf(work())).toMatchObject({ code: 'not_found' });
    expect((await listCronJobs(stranger, { page: 1, per_page: 25 })).total).toBe(0);
    expect((await listCronJobs(owner, { page: 1, per_page: 25 })).items).toMatchObject([{ id: view.id }]);
    expect((await getCronJob(owner, { cron_job_id: view.id })).hosting_account.id).toBe(account);
  });

  test('the list is paged by age, of one account or of all', async () => {
    const id = await newAccount();
    expect((await listCronJobs(admin(), { hosting_account_id: id, page: 1, per_page: 2 })).items).toEqual([]);
    const made: number[] = [];
    for (let i = 0; i < 3; i++) made.push((await add(id)).view.id);
    const page = await listCronJobs(admin(), { hosting_account_id: id, page: 2, per_page: 2 });
    expect(page).toMatchObject({ page: 2, per_page: 2, total: 3 });
    expect(page.items.map((item) => item.id)).toEqual(made.slice(2));
    expect((await listCronJobs(admin(), { page: 1, per_page: 1 })).total).toBeGreaterThan(3);
  });
});
