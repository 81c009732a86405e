import { createHmac } from 'node:crypto';
import {
  listReleases,
  receivePush,
  removeApp,
  removePushSecret,
  renewPushSecret,
  suspendAccount,
} from '@innkeeper/services';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, rowOf } from './fixtures.ts';
import { rowsWhere } from './records.ts';
import { expectRefusal } from './refusals.ts';

const rig = useDatabaseRig();
const { admin } = rig;
const git = { repository: 'https://git.example.com/me/shop.git', branch: 'main', deploy_key: null };
const sign = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
const pushTo = (ref: string, more: object = {}) => JSON.stringify({ ref, after: 'ab12', ...more });
const admit = vi.fn(async () => {});
let app: { account_id: number; app_id: number };
let secret: string;

beforeEach(async () => {
  admit.mockReset();
  app = await rig.newApp({ git });
  ({ secret } = await renewPushSecret(admin(), app));
});

function receive(
  headers: Record<string, string>,
  body = pushTo('refs/heads/main'),
  { app_id = app.app_id, ctx = admin() } = {},
) {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const header = (name: string) => sent.get(name.toLowerCase());
  return receivePush(ctx, { app_id, header, body: Buffer.from(body) }, admit);
}
const github = (body: string, event = 'push', key = secret) => ({
  'X-GitHub-Event': event,
  'X-Hub-Signature-256': `sha256=${sign(key, body)}`,
});
const releases = async () => (await listReleases(admin(), app)).length;

describe('a push to the branch of the app', () => {
  const body = pushTo('refs/heads/main');

  test.each<[host: string, headers: () => Record<string, string>]>([
    ['GitHub', () => github(body)],
    ['Gitea', () => ({ 'X-Gitea-Event': 'push', 'X-Gitea-Signature': sign(secret, body) })],
    ['GitLab', () => ({ 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': secret })],
  ])('from %s is deployed, with a wake and an audit entry', async (_host, headers) => {
    const before = await releases();
    const ctx = admin();
    expect(await receive(headers(), body, { ctx })).toBe('deployed');
    expect(await releases()).toBe(before + 1);
    const { generation } = await rowOf(rig.db, app.account_id);
    expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId: app.account_id, generation }]);
    expect(await rig.newestAudit(app.account_id)).toMatchObject({
      action: 'app.push-deploy',
      target: `app:${app.app_id}`,
    });
    expect(admit).toHaveBeenCalledOnce();
  });

  test('may be sent as a form', async () => {
    const form = String(new URLSearchParams({ payload: body }));
    const headers = { ...github(form), 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await receive(headers, form)).toBe('deployed');
  });

  test('is not deployed over its rate limit, or while the account is suspended', async () => {
    const before = await releases();
    admit.mockRejectedValueOnce(new Error('too many'));
    await expect(receive(github(body))).rejects.toThrow('too many');
    await suspendAccount(admin(), { account_id: app.account_id });
    await expectRefusal(receive(github(body)), 'forbidden');
    expect(await releases()).toBe(before);
  });
});

test.each([
  ['a push to another branch', pushTo('refs/heads/other'), 'push', 'other_branch'],
  ['a pushed tag', pushTo('refs/tags/main'), 'push', 'other_branch'],
  ['a deleted branch', pushTo('refs/heads/main', { deleted: true }), 'push', 'other_branch'],
  ['a deleted branch of Gitea', pushTo('refs/heads/main', { after: '0'.repeat(40) }), 'push', 'other_branch'],
  ['a body that is no JSON', 'ref=refs/heads/main', 'push', 'other_branch'],
  ['a ping', '{}', 'ping', 'ping'],
  ['another event', pushTo('refs/heads/main'), 'release', 'other_event'],
])('%s deploys nothing', async (_what, body, event, outcome) => {
  const { generation } = await rowOf(rig.db, app.account_id);
  expect(await receive(github(body, event), body)).toBe(outcome);
  expect((await rowOf(rig.db, app.account_id)).generation).toBe(generation);
  expect(admit).not.toHaveBeenCalled();
});

describe('a sender without the secret', () => {
  const body = pushTo('refs/heads/main');
  const isRefused = (pushed: Promise<unknown>, what: string) =>
    expectRefusal(pushed, 'unauthenticated', what);

  test('is refused, and cannot tell apps with a hook from others', async () => {
    const signed = github(body);
    await isRefused(receive({ 'X-GitHub-Event': 'push' }), 'no proof');
    await isRefused(receive(github(body, 'push', 'another')), 'another secret');
    await isRefused(receive(signed, pushTo('refs/heads/main', { after: 'cd34' })), 'another body');
    await isRefused(receive({ 'X-Hub-Signature-256': 'sha256=' }), 'an empty signature');
    await isRefused(
      receive({ 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': `${secret}x` }),
      'a wrong token',
    );
    await isRefused(receive({ 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': '' }), 'an empty token');
    await isRefused(receive(signed, body, { app_id: 999_999 }), 'no such app');
    const other = await rig.newApp({ git });
    await isRefused(receive(signed, body, { app_id: other.app_id }), 'an app without a hook');
    expect(admit).not.toHaveBeenCalled();
  });

  test('includes one with a replaced or removed secret, also after the removal of the app', async () => {
    const signed = github(body);
    const renewed = await renewPushSecret(admin(), app);
    await isRefused(receive(signed), 'renewed');
    const again = github(body, 'push', renewed.secret);
    await removePushSecret(admin(), app);
    await isRefused(receive(again), 'removed');
    const { secret: last } = await renewPushSecret(admin(), app);
    await removeApp(admin(), app);
    await isRefused(receive(github(body, 'push', last)), 'an app that is going');
  });
});

test('the secret is stored sealed, differs each time, and is in no audit entry', async () => {
  const other = await renewPushSecret(admin(), app);
  expect(other.secret).not.toBe(secret);
  const rows = JSON.stringify([
    await rowsWhere(rig.db, 'apps', { id: app.app_id }),
    await rowsWhere(rig.db, 'audit_log', { account_id: app.account_id }),
  ]);
  for (const shown of [secret, other.secret]) expect(rows).not.toContain(shown);
  expect(await rig.newestAudit(app.account_id)).toMatchObject({ action: 'app.push-hook', name: 'Shop' });
});

test('only an app with a repository has a hook, and only for its own operator', async () => {
  const plain = await rig.newApp();
  await expectRefusal(renewPushSecret(admin(), plain), 'precondition_failed');
  await expectRefusal(renewPushSecret(await addReseller(rig.db), app), 'not_found');
  await expectRefusal(removePushSecret(await addReseller(rig.db), app), 'not_found');
});
