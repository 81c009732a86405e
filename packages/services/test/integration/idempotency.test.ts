import { deleteEndedIdempotencyKeys } from '@innkeeper/db';
import {
  claimKey,
  createAccount,
  type KeyClaim,
  type OperatorContext,
  renewKey,
  settleKey,
  writeOnce,
} from '@innkeeper/services';
import { waitUntil } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addOnlineNode, addPackage } from './fixtures.ts';
import { contextOf, fresh, ownDatabase } from './records.ts';
import { expectRace, expectRefusal } from './refusals.ts';

const database = ownDatabase();
let packageId: number;
beforeAll(async () => {
  await addOnlineNode(database.db);
  packageId = await addPackage(database.db);
});

/** Returns the context of another request with a token. */
const asked = (tokenId = 1): OperatorContext => ({
  ...contextOf(database.db, { tokenId }),
  requestId: crypto.randomUUID(),
});
const claim = async (ctx: OperatorContext, key: string, request = 'A'): Promise<KeyClaim> => {
  const { claim: own } = await claimKey(ctx, { key, request });
  if (own === undefined) throw new Error('The key has an answer.');
  return own;
};
const inProgress = { code: 'conflict', message: 'A request with this Idempotency-Key is in progress.' };
const otherRequest = {
  code: 'invalid',
  fields: undefined,
  message: 'This Idempotency-Key was used with another request.',
};
const answer = { status: 201, body: '{"data":{"id":1}}', keptForS: 60 };
const endLeases = () => sql`update idempotency_keys set leased_until = now(6)`.execute(database.db);
const tenant = () => ({
  username: fresh('once'),
  name: 'Once',
  email: 'once@example.com',
  password: 'correct horse battery',
  package_id: packageId,
});
const accountsNamed = (username: string) =>
  database.db.selectFrom('accounts').select('id').where('username', '=', username).execute();

test('a claimed key is in progress for the same request, and used for every other one', async () => {
  const key = fresh('key');
  await claim(asked(), key);
  await expectRefusal(claimKey(asked(), { key, request: 'A' }), inProgress);
  await expectRefusal(claimKey(asked(), { key, request: 'B' }), otherRequest);
  expect(await claimKey(asked(), { key: `${key} `, request: 'A' })).toHaveProperty('claim');
});

test('a kept answer is returned to the same request of the same token only', async () => {
  const [key, ctx] = [fresh('key'), asked()];
  await settleKey(ctx, await claim(ctx, key), answer);
  const kept = { kept: { status: answer.status, body: answer.body } };
  for (let i = 0; i < 2; i++) expect(await claimKey(asked(), { key, request: 'A' })).toEqual(kept);
  await expectRefusal(claimKey(asked(), { key, request: 'B' }), otherRequest);
  expect(await claimKey(asked(2), { key, request: 'B' })).toHaveProperty('claim');
});

test('a failed request frees the key', async () => {
  const [key, ctx] = [fresh('key'), asked()];
  await settleKey(ctx, await claim(ctx, key), 'failed');
  expect(await claimKey(asked(), { key, request: 'B' })).toHaveProperty('claim');
});

test('an expired answer frees the key, and is deleted by the sweep', async () => {
  const [key, ctx] = [fresh('key'), asked()];
  await settleKey(ctx, await claim(ctx, key), { ...answer, keptForS: 0 });
  const next = asked();
  await settleKey(next, await claim(next, key, 'B'), { ...answer, keptForS: 0 });
  const kept = asked();
  await settleKey(kept, await claim(kept, fresh('key')), answer);
  const count = async () =>
    (await database.db.selectFrom('idempotency_keys').select('key_hash').execute()).length;
  const before = await count();
  expect(await deleteEndedIdempotencyKeys(database.db, 10)).toBe(1);
  expect(await count()).toBe(before - 1);
});

test('of 32 concurrent requests one gets the key', async () => {
  const key = fresh('key');
  await expectRace({ calls: 32, winners: 1 }, () => claimKey(asked(), { key, request: 'A' }));
  await endLeases();
  await expectRace({ calls: 32, winners: 1 }, () => claimKey(asked(), { key, request: 'A' }));
});

test('a request that died before its commit frees the key when its lease ends', async () => {
  const key = fresh('key');
  await claim(asked(), key);
  await endLeases();
  const next = await claim(asked(), key, 'B');
  expect(next.written).toBeUndefined();
});

test('what a request wrote before it died is returned to the same request only', async () => {
  const [key, input, dead] = [fresh('key'), tenant(), asked()];
  const written = await createAccount({ ...dead, claim: await claim(dead, key) }, input);
  await expectRefusal(claimKey(asked(), { key, request: 'A' }), inProgress);
  await endLeases();
  await expectRefusal(claimKey(asked(), { key, request: 'B' }), otherRequest);
  const retry = asked();
  expect(await createAccount({ ...retry, claim: await claim(retry, key) }, input)).toEqual(written);
  expect(await accountsNamed(input.username)).toEqual([{ id: written.accountId }]);
});

test('what a request wrote before it failed is returned to the same request immediately', async () => {
  const [key, input, first] = [fresh('key'), tenant(), asked()];
  const own = await claim(first, key);
  const written = await createAccount({ ...first, claim: own }, input);
  await settleKey(first, own, 'failed');
  await expectRefusal(claimKey(asked(), { key, request: 'B' }), otherRequest);
  const retry = asked();
  expect(await createAccount({ ...retry, claim: await claim(retry, key) }, input)).toEqual(written);
});

test('an undone write frees the key', async () => {
  const [key, first] = [fresh('key'), asked()];
  const own = await claim(first, key);
  await createAccount({ ...first, claim: own }, tenant());
  await settleKey(first, own, 'undone');
  expect((await claim(asked(), key, 'B')).written).toBeUndefined();
});

test('a request that lost its lease commits nothing, and its end changes nothing', async () => {
  const [key, input, silent, next] = [fresh('key'), tenant(), asked(), asked()];
  const lost = await claim(silent, key);
  await endLeases();
  const own = await claim(next, key);
  await expectRefusal(createAccount({ ...silent, claim: lost }, input), inProgress);
  expect(await accountsNamed(input.username)).toEqual([]);
  for (const outcome of ['failed', 'undone', answer] as const) await settleKey(silent, lost, outcome);
  await expectRefusal(claimKey(asked(), { key, request: 'A' }), inProgress);
  await settleKey(next, own, answer);
  expect(await claimKey(asked(), { key, request: 'A' })).toHaveProperty('kept');
});

test('a request makes one write', async () => {
  const ctx = asked();
  const once = { ...ctx, claim: await claim(ctx, fresh('key')) };
  await writeOnce(once, async () => 1);
  await expect(writeOnce(once, async () => 2)).rejects.toThrow('makes one write');
});

test('neither a request nor its answer can be read in the table', async () => {
  const [key, ctx] = ['a-key-of-its-own', asked()];
  const own = await claim(ctx, key, 'POST correct horse');
  await createAccount({ ...ctx, claim: own }, { ...tenant(), name: 'Readable Name' });
  const rows = async () =>
    JSON.stringify((await sql`select * from idempotency_keys`.execute(database.db)).rows);
  const during = await rows();
  await settleKey(ctx, own, { ...answer, body: '{"login_url":"https://secret.example"}' });
  for (const text of [during, await rows()])
    for (const word of [key, 'correct horse', 'Readable Name', 'secret.example'])
      expect(text).not.toContain(word);
});

test('the key of a killed process is free within 5 seconds; the key of a running one is not', async () => {
  const key = fresh('key');
  const living = asked();
  const held = await claim(living, key);
  const renewal = setInterval(() => void renewKey(living, held), 1_000);
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  clearInterval(renewal);
  await expectRefusal(claimKey(asked(), { key, request: 'A' }), inProgress);
  const killedAt = performance.now();
  await waitUntil(
    'the key',
    () =>
      claimKey(asked(), { key, request: 'A' }).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 8_000 },
  );
  expect(performance.now() - killedAt).toBeLessThan(5_000);
});
