import { createHash } from 'node:crypto';
import { createSshKey, getSshAccess, removeSshKey, terminateAccount } from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, rowOf, specOf } from './fixtures.ts';
import { rowsWhere } from './records.ts';
import { expectRace, expectRefusal, invalid, limitReached, terminating } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newAccount, newestAudit } = rig;

/** A public key of its own for each number. */
function keyOf(number: number): string {
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const content = Buffer.alloc(32, number);
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from('ssh-ed25519')), field(content)]).toString('base64')}`;
}
const fingerprintOf = (key: string) =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(key.split(' ')[1]!, 'base64'))
    .digest('base64')
    .replace(/=/g, '')}`;

const add = (account_id: number, key = keyOf(1)) => createSshKey(admin(), { account_id, public_key: key });
const keysIn = async (accountId: number) => (await specOf(rig.db, accountId)).ssh_keys;

test('a key is in the spec of the next generation without its comment, which is its name, and is audited', async () => {
  const id = await newAccount();
  const ctx = admin();
  const { view, generation } = await createSshKey(ctx, {
    account_id: id,
    public_key: `${keyOf(1)} anna@laptop`,
  });
  const fingerprint = fingerprintOf(keyOf(1));
  expect(view).toEqual({
    id: view.id,
    name: 'anna@laptop',
    type: 'ssh-ed25519',
    fingerprint,
    created_at: expect.any(Date),
  });
  expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId: id, generation: 2 }]);
  expect(await keysIn(id)).toEqual([keyOf(1)]);
  expect(await newestAudit(id)).toEqual({
    action: 'ssh-key.create',
    target: `ssh-key:${view.id}`,
    after: { name: 'anna@laptop', fingerprint },
    generation,
  });
  const access = await getSshAccess(admin(), { account_id: id });
  expect(access).toMatchObject({ user: (await rowOf(rig.db, id)).linux_user, keys: [view], limit: 50 });
});

test('a removed key leaves the spec at once', async () => {
  const id = await newAccount();
  const { view } = await add(id);
  await add(id, keyOf(2));
  await removeSshKey(admin(), { ssh_key_id: view.id });
  expect(await keysIn(id)).toEqual([keyOf(2)]);
  expect(await newestAudit(id)).toMatchObject({ action: 'ssh-key.delete', before: { name: 'SSH key' } });
  await expectRefusal(removeSshKey(admin(), { ssh_key_id: view.id }), 'not_found');
});

test('an account has a key once, though it is typed with another comment; another account may have it too', async () => {
  const id = await newAccount();
  await add(id);
  const again = {
    code: 'invalid',
    fields: { public_key: [expect.stringContaining('already has this key')] },
  };
  await expectRefusal(add(id, `${keyOf(1)} other`), again);
  await expectRace({ calls: 4, winners: 1, refusal: again }, () => add(id, keyOf(9)));
  await add(await newAccount());
});

test('an account has at most 50 keys', async () => {
  const id = await newAccount();
  for (let number = 0; number < 49; number += 1) await add(id, keyOf(100 + number));
  await expectRace({ calls: 3, winners: 1, refusal: limitReached('SSH key', 50) }, (at) =>
    add(id, keyOf(10 + at)),
  );
});

test('a text that is no public key changes nothing', async () => {
  const id = await newAccount();
  await expectRefusal(add(id, `command="sh" ${keyOf(1)}`), invalid({ public_key: expect.any(String) }));
  expect((await rowOf(rig.db, id)).generation).toBe(1);
});

test('a reseller cannot see or change the keys of an account that is not its own', async () => {
  const id = await newAccount();
  const { view } = await add(id);
  const other = await addReseller(rig.db);
  await expectRefusal(createSshKey(other, { account_id: id, public_key: keyOf(3) }), 'not_found');
  await expectRefusal(removeSshKey(other, { ssh_key_id: view.id }), 'not_found');
  await expectRefusal(getSshAccess(other, { account_id: id }), 'not_found');
  expect(await keysIn(id)).toEqual([keyOf(1)]);
});

test('an account that is being terminated gets no key', async () => {
  const id = await newAccount();
  await terminateAccount(admin(), { account_id: id });
  await expectRefusal(add(id), terminating);
  expect(await rowsWhere(rig.db, 'ssh_keys', { account_id: id })).toEqual([]);
});
