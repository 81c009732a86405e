import { accountSpecSchema } from '@innkeeper/protocol';
import {
  createApp,
  deployGit,
  listReleases,
  removeApp,
  rollbackApp,
  suspendAccount,
  terminateAccount,
} from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, reportNewest, specOf } from './fixtures.ts';
import { refusalOf } from './records.ts';

const rig = useDatabaseRig();
const { admin, newAccount } = rig;

async function newApp(): Promise<{ account_id: number; app_id: number }> {
  const account_id = await newAccount();
  const { view } = await createApp(admin(), {
    hosting_account_id: account_id,
    template_key: 'nodejs',
    name: 'Shop',
    env: new Map(),
    git: { repository: 'https://git.example.com/a/b', branch: 'main', deploy_key: null },
  });
  return { account_id, app_id: view.id };
}

/** Reports the result of the newest deploy, as the app's node. */
const say = (
  { account_id, app_id }: { account_id: number; app_id: number },
  status: 'running' | 'failed',
  release_id: number | null,
) => reportNewest(rig.db, account_id, { apps: [{ app_id, status, reason: '', release_id }] });

/** Deploys until this many releases were live one after the other. Returns their ids. */
async function served(app: { account_id: number; app_id: number }, releases: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < releases; n += 1) {
    const id = (await deployGit(admin(), { app_id: app.app_id })).view.release?.id ?? 0;
    await say(app, 'running', id);
    ids.push(id);
  }
  return ids;
}

const rowsOf = (app_id: number) =>
  rig.db.selectFrom('app_releases').selectAll().where('app_id', '=', app_id).orderBy('id').execute();
const statesOf = async (app_id: number) => (await rowsOf(app_id)).map(({ state }) => state);

test('the release before is wanted again: the next generation, a wake, and a row of the audit log say so', async () => {
  const app = await newApp();
  const [first = 0, second = 0] = await served(app, 2);
  const ctx = admin();
  const { view, generation } = await rollbackApp(ctx, { app_id: app.app_id });
  expect(view).toMatchObject({ status: 'updating', release: { id: first } });
  expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId: app.account_id, generation }]);
  const spec = accountSpecSchema.parse(await specOf(rig.db, app.account_id));
  expect(spec).toMatchObject({ generation, apps: [{ release: { release_id: first } }] });
  const log = await rig.db
    .selectFrom('audit_log')
    .selectAll()
    .where('account_id', '=', app.account_id)
    .orderBy('id')
    .execute();
  expect(log.at(-1)).toMatchObject({ action: 'app.rollback', target: `app:${app.app_id}` });
  expect(JSON.parse(log.at(-1)?.details ?? '')).toMatchObject({
    before: { release_id: second },
    after: { release_id: first },
  });
  await say(app, 'running', first);
  expect((await listReleases(ctx, app)).find(({ is_serving }) => is_serving)).toMatchObject({
    id: first,
    is_wanted: true,
    state: 'served',
  });
});

test('away from a deploy that failed it goes to what serves, and without a release to the one before', async () => {
  const app = await newApp();
  const [first = 0, second = 0] = await served(app, 2);
  await deployGit(admin(), { app_id: app.app_id });
  await say(app, 'failed', second);
  expect((await rollbackApp(admin(), app)).view.release?.id).toBe(second);
  expect((await rollbackApp(admin(), app)).view.release?.id).toBe(first);
});

test('what served last is kept longest: a release that was rolled back to outlives one that was left', async () => {
  const app = await newApp();
  const [first = 0, second = 0, third = 0] = await served(app, 3);
  await rollbackApp(admin(), { ...app, release_id: first });
  await say(app, 'running', first);
  const [fourth = 0] = await served(app, 1);
  const kept = (await listReleases(admin(), app)).filter(({ is_kept }) => is_kept).map(({ id }) => id);
  expect(kept).toEqual([fourth, third, first]);
  expect(await refusalOf(rollbackApp(admin(), { ...app, release_id: second }))).toMatchObject({
    code: 'precondition_failed',
    message: `Release ${second} is too old: only the last 3 that served are kept.`,
  });
  expect((await rollbackApp(admin(), app)).view.release?.id).toBe(first);
});

test('a deploy that is under way gives way, and its archive with it', async () => {
  const app = await newApp();
  const [first = 0] = await served(app, 2);
  await deployGit(admin(), { app_id: app.app_id });
  await rollbackApp(admin(), { ...app, release_id: first });
  expect(await statesOf(app.app_id)).toEqual(['superseded', 'served', 'served', 'superseded']);
});

test('what cannot be served is refused with a sentence, and nothing is written', async () => {
  const app = await newApp();
  const other = await newApp();
  const rollback = (release_id?: number, ctx = admin()) =>
    refusalOf(rollbackApp(ctx, { app_id: app.app_id, release_id }));
  const refused = (message: string | RegExp) => ({
    code: 'precondition_failed',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
  expect(await rollback()).toMatchObject(refused(`App ${app.app_id} has no earlier release that served.`));
  const [only = 0] = await served(app, 1);
  expect(await rollback()).toMatchObject(refused(`App ${app.app_id} has no earlier release that served.`));
  expect(await rollback(only)).toMatchObject(refused(/^Release \d+ is what app \d+ shall serve already\.$/));
  const [foreign = 0] = await served(other, 2);
  expect(await rollback(foreign)).toMatchObject(refused(/has no release \d+, or none that is kept still\.$/));
  const failed = (await deployGit(admin(), { app_id: app.app_id })).view.release?.id ?? 0;
  await say(app, 'failed', only);
  await served(app, 1);
  expect(await rollback(failed)).toMatchObject(refused(`Release ${failed} never served.`));
  expect(await rollback(only, await addReseller(rig.db))).toMatchObject({ code: 'not_found' });
  const before = await rowsOf(app.app_id);
  await suspendAccount(admin(), { account_id: app.account_id });
  expect(await rollback(only)).toMatchObject(refused('This account is suspended: its apps do not run.'));
  await terminateAccount(admin(), { account_id: app.account_id });
  expect(await rollback(only)).toMatchObject(refused('This account is being terminated.'));
  expect(await rowsOf(app.app_id)).toEqual(before);
  await removeApp(admin(), { app_id: other.app_id });
  expect(await refusalOf(rollbackApp(admin(), other))).toMatchObject(refused('This app is being removed.'));
});

test('with each deploy the releases are forgotten that nobody can go back to, and failures of last week', async () => {
  const app = await newApp();
  await served(app, 6);
  // The first release, of the install, was superseded.
  expect(await statesOf(app.app_id)).toEqual(['superseded', 'served', 'served', 'served', 'served']);
  const failed = (await deployGit(admin(), { app_id: app.app_id })).view.release?.id ?? 0;
  await say(app, 'failed', null);
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
  await deployGit(admin(), { app_id: app.app_id });
  expect(await statesOf(app.app_id)).toEqual(['served', 'served', 'served', 'wanted']);
  expect((await rowsOf(app.app_id)).map(({ id }) => id)).not.toContain(failed);
});
