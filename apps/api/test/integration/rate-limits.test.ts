import { createToken } from '@innkeeper/services';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Reply } from '../ask.ts';
import { type Instance, useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig({ rateLimits: { user: 60, health: 10, sso: 30 } });
let instances: Pick<Instance, 'ask'>[];
beforeAll(async () => {
  instances = [rig, await rig.addInstance()];
});
beforeEach(async () => {
  await rig.db.deleteFrom('rate_limits').execute();
});

const remaining = ({ headers }: Reply) => Number(headers.get('X-RateLimit-Remaining'));
const newToken = async (user = 'acme') =>
  (await createToken(rig.operator, { user, name: 'new', abilities: ['*'] })).plain_token;

it('100 requests at once of one user, with two tokens, at two instances: exactly 60 are answered', async () => {
  const tokens = [await newToken(), await newToken()];
  const startedAt = Math.floor(Date.now() / 1000);
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      instances[i % 2]!.ask('listPackages', { token: tokens[i % 3 === 0 ? 1 : 0] ?? '' }),
    ),
  );
  const elapsed = Math.ceil(Date.now() / 1000) - startedAt;
  const answered = replies.filter(({ status }) => status === 200);
  expect(answered.map(remaining).sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i));

  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(40);
  expect(new Set(refused.map(({ headers }) => headers.get('X-RateLimit-Reset'))).size).toBe(1);
  for (const { body, headers } of refused) {
    expect(body).toEqual({ message: 'Too Many Attempts.' });
    expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['60', '0']);
    expect(Number(headers.get('Retry-After'))).toSatisfy((s: number) => s > 58 - elapsed && s <= 60);
    expect(Number(headers.get('X-RateLimit-Reset'))).toSatisfy(
      (s: number) => s >= startedAt + 60 && s <= startedAt + elapsed + 61,
    );
  }
  for (const { ask } of instances) expect((await ask('me', { token: tokens[0] ?? '' })).status).toBe(429);
  for (const { ask } of instances) expect((await ask('me')).status).toBe(200);
});

it('writes count like reads, and a refused write changes nothing', async () => {
  const token = await newToken('root-admin');
  await rig.db
    .insertInto('rate_limits')
    .values({ bucket: `user:${await adminId()}`, hits: 60, resets_at: Date.now() + 60_000 })
    .execute();
  const body = rig.accountFields();
  expect((await rig.ask('createAccount', { token, body })).status).toBe(429);
  const accounts = rig.db.selectFrom('accounts').select('id').where('username', '=', body.username);
  expect(await accounts.execute()).toEqual([]);
});

it('a new window follows an expired one', async () => {
  const token = await newToken();
  await rig.db
    .insertInto('rate_limits')
    .values({ bucket: `user:${rig.resellerId}`, hits: 60, resets_at: Date.now() - 1 })
    .execute();
  // This instance may remember a refusal of the first test for 1 minute; a new instance does not.
  const fresh = await rig.addInstance();
  expect(remaining(await fresh.ask('me', { token }))).toBe(59);
});

it('health requests count for each client address, across instances, with any token', async () => {
  const health = (instance: number, address: string) =>
    instances[instance]!.ask('health', { token: '', headers: { 'X-Forwarded-For': address } });
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => health(i % 2, '198.51.100.1')));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  expect((await health(0, '198.51.100.2')).status).toBe(200);
  // Untrusted: the client wrote everything before the proxy's entry.
  expect((await health(1, '203.0.113.5, 198.51.100.1')).status).toBe(429);
});

it('requests without a valid token count for nobody', async () => {
  for (let i = 0; i < 3; i++) expect((await rig.ask('me', { token: 'ik_none' })).status).toBe(401);
  expect(await rig.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
});

async function adminId(): Promise<number> {
  const admin = rig.db.selectFrom('users').select('id').where('username', '=', 'root-admin');
  return (await admin.executeTakeFirstOrThrow()).id;
}
