import {
  createApp,
  type EndUser,
  getApp,
  getAppControls,
  removeApp,
  type ServiceContext,
  startApp,
  stopApp,
  suspendAccount,
  terminateAccount,
} from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, reportNewest, specOf } from './fixtures.ts';
import { fresh, insertDomainRecord } from './records.ts';
import { expectRefusal } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newAccount, newestAudit } = rig;

async function newApp(template_key = 'nodejs'): Promise<{ account_id: number; app_id: number }> {
  const account_id = await newAccount();
  const domain_name = `${fresh('shop')}.example.com`;
  const { view } = await createApp(admin(), {
    hosting_account_id: account_id,
    template_key,
    name: 'Shop',
    domain_id: await insertDomainRecord(rig.db, { account_id, domain_name }),
    env: new Map(),
  });
  await reportNewest(rig.db, account_id, {
    apps: [{ app_id: view.id, status: 'running', reason: '', release_id: null }],
  });
  return { account_id, app_id: view.id };
}

const say = (
  { account_id, app_id }: { account_id: number; app_id: number },
  status: 'running' | 'stopped' | 'stopping',
) => reportNewest(rig.db, account_id, { apps: [{ app_id, status, reason: '', release_id: null }] });
const statusOf = async (app_id: number) => (await getApp(admin(), { app_id })).status;
const wantedBySpec = async (account_id: number) =>
  (await specOf(rig.db, account_id)).apps.map(({ desired_state }) => desired_state);
test('a stop and a start each make the next generation, a wake and an audit row; the status is what the node reports', async () => {
  const app = await newApp();
  const ctx = admin();
  const stopped = await stopApp(ctx, app);
  expect(stopped.view).toMatchObject({ id: app.app_id, status: 'stopping', status_reason: null });
  expect(await wantedBySpec(app.account_id)).toEqual(['stopped']);
  expect(await newestAudit(app.account_id)).toEqual({
    action: 'app.stop',
    target: `app:${app.app_id}`,
    name: expect.any(String),
    before: { state: 'running' },
    after: { state: 'stopped' },
    generation: stopped.generation,
  });
  await say(app, 'stopping');
  expect(await statusOf(app.app_id)).toBe('stopping');
  await say(app, 'stopped');
  expect(await statusOf(app.app_id)).toBe('stopped');

  const started = await startApp(ctx, app);
  expect(started.generation).toBe(stopped.generation + 1);
  expect(started.view.status).toBe('starting');
  expect(await wantedBySpec(app.account_id)).toEqual(['running']);
  expect(await newestAudit(app.account_id)).toMatchObject({ action: 'app.start' });
  expect(ctx.wakes).toEqual(
    [stopped, started].map(({ nodeId, accountId, generation }) => ({ nodeId, accountId, generation })),
  );
  await say(app, 'running');
  expect(await statusOf(app.app_id)).toBe('running');
});

test('stopping a stopped app changes nothing', async () => {
  const app = await newApp();
  const ctx = admin();
  const first = await stopApp(ctx, app);
  await say(app, 'stopped');
  const again = await stopApp(ctx, app);
  expect(again).toMatchObject({ generation: first.generation, view: { status: 'stopped' } });
  expect(ctx.wakes).toHaveLength(1);
});

test('a customer starts and stops the apps of its own account only', async () => {
  const [own, other] = [await newApp(), await newApp()];
  const customer: EndUser = {
    userId: 1,
    role: 'user',
    accountId: own.account_id,
    tokenId: null,
    address: '192.0.2.1',
  };
  const ctx: ServiceContext = { ...admin(), actor: customer };
  expect((await stopApp(ctx, own)).view.status).toBe('stopping');
  expect((await getAppControls(ctx, own)).state).toBe('stopped');
  for (const work of [stopApp, startApp, getAppControls]) await expectRefusal(work(ctx, other), 'not_found');
  await expectRefusal(stopApp(await addReseller(rig.db), own), 'not_found');
  expect((await getAppControls(admin(), other)).state).toBe('running');
});

test('an app without a program, an app that is being removed, and a suspended account are refused with a sentence', async () => {
  const site = await newApp('php');
  expect(await getAppControls(admin(), site)).toEqual({
    runtime: 'php',
    installer: 'starter',
    state: 'running',
    has_database: false,
    has_push_hook: false,
  });
  const refused = (message: string) => ({ code: 'precondition_failed', message });
  for (const work of [startApp, stopApp])
    await expectRefusal(
      work(admin(), site),
      refused(`App ${site.app_id} runs no program of its own: there is nothing to start or stop.`),
    );
  const app = await newApp();
  await suspendAccount(admin(), { account_id: app.account_id });
  for (const work of [startApp, stopApp])
    await expectRefusal(work(admin(), app), refused('This account is suspended: its apps do not run.'));
  await terminateAccount(admin(), { account_id: app.account_id });
  await expectRefusal(stopApp(admin(), app), refused('This account is being terminated.'));
  const going = await newApp();
  await removeApp(admin(), going);
  await expectRefusal(startApp(admin(), going), refused('This app is being removed.'));
});
