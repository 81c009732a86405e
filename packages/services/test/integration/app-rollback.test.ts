import {
  deployGit,
  listReleases,
  removeApp,
  rollbackApp,
  suspendAccount,
  terminateAccount,
} from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, specOf } from './fixtures.ts';
import { rowsWhere } from './records.ts';
import { expectRefusal, failedPrecondition } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newestAudit, reportApp } = rig;

const git = { repository: 'https://git.example.com/a/b', branch: 'main', deploy_key: null };
const newApp = () => rig.newApp({ git });

const deploy = async (app_id: number) => (await deployGit(admin(), { app_id })).view.release?.id ?? 0;
/** Deploys until this many releases were live one after the other. Returns their ids. */
async function served(app: { account_id: number; app_id: number }, releases: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < releases; n += 1) {
    const id = await deploy(app.app_id);
    await reportApp(app, 'running', id);
    ids.push(id);
  }
  return ids;
}

const rowsOf = (app_id: number) => rowsWhere(rig.db, 'app_releases', { app_id });
const statesOf = async (app_id: number) => (await rowsOf(app_id)).map(({ state }) => state);

test('a rollback makes the previous release wanted: next generation, wake, and audit row', async () => {
  const app = await newApp();
  const [first = 0, second = 0] = await served(app, 2);
  const ctx = admin();
  const { view, generation } = await rollbackApp(ctx, { app_id: app.app_id });
  expect(view).toMatchObject({ status: 'updating', release: { id: first } });
  expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId: app.account_id, generation }]);
  const spec = await specOf(rig.db, app.account_id);
  expect(spec).toMatchObject({ generation, apps: [{ release: { release_id: first } }] });
  expect(await newestAudit(app.account_id)).toMatchObject({
    action: 'app.rollback',
    target: `app:${app.app_id}`,
    before: { release_id: second },
    after: { release_id: first },
  });
  await reportApp(app, 'running', first);
  expect((await listReleases(ctx, app)).find(({ is_serving }) => is_serving)).toMatchObject({
    id: first,
    is_wanted: true,
    state: 'served',
  });
});

test('after a failed deploy, a rollback goes to the serving release, and then to the one before it', async () => {
  const app = await newApp();
  const [first = 0, second = 0] = await served(app, 2);
  await deploy(app.app_id);
  await reportApp(app, 'failed', second);
  expect((await rollbackApp(admin(), app)).view.release?.id).toBe(second);
  expect((await rollbackApp(admin(), app)).view.release?.id).toBe(first);
});

test('the releases that served last are kept: a rollback renews a release', async () => {
  const app = await newApp();
  const [first = 0, second = 0, third = 0] = await served(app, 3);
  await rollbackApp(admin(), { ...app, release_id: first });
  await reportApp(app, 'running', first);
  const [fourth = 0] = await served(app, 1);
  const kept = (await listReleases(admin(), app)).filter(({ is_kept }) => is_kept).map(({ id }) => id);
  expect(kept).toEqual([fourth, third, first]);
  await expectRefusal(
    rollbackApp(admin(), { ...app, release_id: second }),
    failedPrecondition(`Release ${second} is too old: only the last 3 that served are kept.`),
  );
  expect((await rollbackApp(admin(), app)).view.release?.id).toBe(first);
});

test('a rollback cancels a deploy in progress and deletes its archive', async () => {
  const app = await newApp();
  const [first = 0] = await served(app, 2);
  await deploy(app.app_id);
  await rollbackApp(admin(), { ...app, release_id: first });
  expect(await statesOf(app.app_id)).toEqual(['superseded', 'served', 'served', 'superseded']);
});

test('a release that cannot be served is refused with a sentence, and nothing is written', async () => {
  const app = await newApp();
  const other = await newApp();
  const refuses = (message: unknown, release_id?: number) =>
    expectRefusal(rollbackApp(admin(), { app_id: app.app_id, release_id }), failedPrecondition(message));
  await refuses(`App ${app.app_id} has no earlier release that served.`);
  const [only = 0] = await served(app, 1);
  await refuses(`App ${app.app_id} has no earlier release that served.`);
  await refuses(expect.stringMatching(/^Release \d+ is already the release of app \d+\.$/), only);
  const [foreign = 0] = await served(other, 2);
  await refuses(expect.stringMatching(/has no release \d+, or it is no longer kept\.$/), foreign);
  const failed = await deploy(app.app_id);
  await reportApp(app, 'failed', only);
  await served(app, 1);
  await refuses(`Release ${failed} never served.`, failed);
  await expectRefusal(rollbackApp(await addReseller(rig.db), { ...app, release_id: only }), 'not_found');
  const before = await rowsOf(app.app_id);
  await suspendAccount(admin(), { account_id: app.account_id });
  await refuses('This account is suspended: its apps do not run.', only);
  await terminateAccount(admin(), { account_id: app.account_id });
  await refuses('This account is being terminated.', only);
  expect(await rowsOf(app.app_id)).toEqual(before);
  await removeApp(admin(), { app_id: other.app_id });
  await expectRefusal(rollbackApp(admin(), other), failedPrecondition('This app is being removed.'));
});

test('each deploy deletes releases that no rollback can reach, and failures older than a week', async () => {
  const app = await newApp();
  await served(app, 6);
  // The first release, of the install, was superseded.
  expect(await statesOf(app.app_id)).toEqual(['superseded', 'served', 'served', 'served', 'served']);
  const failed = await deploy(app.app_id);
  await reportApp(app, 'failed', null);
  const ageing = (days: number) =>
    rig.db
      .updateTable('app_releases')
      .set({ updated_at: new Date(Date.now() - days * 86_400_000) })
      .where('app_id', '=', app.app_id)
      .where('state', 'in', ['failed', 'superseded'])
      .execute();
  await ageing(6.9);
  await served(app, 1);
  expect((await statesOf(app.app_id)).toSorted()).toEqual(
    ['superseded', 'failed', 'served', 'served', 'served', 'served'].toSorted(),
  );
  await ageing(7.1);
  await deploy(app.app_id);
  expect(await statesOf(app.app_id)).toEqual(['served', 'served', 'served', 'wanted']);
  expect((await rowsOf(app.app_id)).map(({ id }) => id)).not.toContain(failed);
});
