/**
 * A program of somebody who uses this API through types that openapi-typescript generated: an account's life, and a
 * refusal. generated-client.test.ts compiles it beside those types and runs it: `node client.ts ORIGIN TOKEN PACKAGE_ID`.
 */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './api.gen.ts';

const [origin = '', token = '', packageId = ''] = process.argv.slice(2);
const baseUrl = `${origin}/api/v1`;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

/** Returns the data of an answer. Throws if the answer is not a success. */
function required<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.status}: ${JSON.stringify(error)}`);
  return data;
}

/** Asks until `condition` holds. Throws after 10 s. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 10_000; !(await condition()); await setTimeout(20))
    assert(performance.now() < deadline, String(condition));
}

const username = 'generated';
const free = required(await client.GET('/accounts/check-username', { params: { query: { username } } }));
assert.deepEqual(free.data, { username, available: true });

const { data: account } = required(
  await client.POST('/accounts', {
    body: {
      username,
      name: 'Generated',
      email: 'generated@example.com',
      password: 'correct horse',
      package_id: Number(packageId),
    },
  }),
);
assert.deepEqual([account.username, account.status, account.synced], [username, 'active', true]);
const path = { id: account.id };
const hosting_account_id = account.id;

const { data: domain } = required(
  await client.POST('/domains', { body: { hosting_account_id, domain_name: 'Generated.Example.com' } }),
);
assert.deepEqual([domain.domain_name, domain.is_primary], ['generated.example.com', true]);

const { data: database } = required(
  await client.POST('/databases', { body: { hosting_account_id, name: 'shop' } }),
);
assert.deepEqual([database.name, database.allowed_ips], ['shop', null]);
await until(async () => {
  const shown = await client.GET('/databases/{id}', { params: { path: { id: database.id } } });
  return required(shown).data.status === 'active';
});

const { data: cronJob } = required(
  await client.POST('/cron-jobs', {
    body: { hosting_account_id, schedule: '15 3 * * *', command: 'php clean-up.php' },
  }),
);
assert.deepEqual([cronJob.enabled, cronJob.hosting_account_id], [true, account.id]);

const suspended = required(await client.PATCH('/accounts/{id}/suspend', { params: { path } }));
assert.equal(suspended.data.status, 'suspended');
const active = required(await client.PATCH('/accounts/{id}/unsuspend', { params: { path } }));
assert.equal(active.data.status, 'active');

const usage = required(await client.GET('/accounts/{id}/usage', { params: { path } }));
assert.equal(usage.data.disk_limit_mb, account.disk_limit_mb);
const ofMany = required(
  await client.GET('/accounts/usage/bulk', {
    params: { query: { 'hosting_account_id[]': [account.id, 999_999] } },
  }),
);
assert.deepEqual(ofMany.meta, { requested: 2, returned: 1, missing_ids: [999_999] });
assert.equal(ofMany.data[account.id]?.disk_limit_mb, account.disk_limit_mb);

const { data: link } = required(
  await client.POST('/accounts/{id}/login-link', {
    params: { path },
    body: { target: 'domains', domain_id: domain.id },
  }),
);
assert.deepEqual([link.expires_in, link.user_username, link.target], [300, username, 'domains']);
const { pathname, search } = new URL(link.login_url);
const followed = await fetch(origin + pathname + search, { redirect: 'manual' });
assert.deepEqual([followed.status, followed.headers.get('Location')], [302, `/sites/${domain.id}`]);

const listed = required(await client.GET('/domains', { params: { query: { hosting_account_id } } }));
assert.deepEqual(
  listed.data.map(({ id }) => id),
  [domain.id],
);

const removed = required(await client.DELETE('/accounts/{id}', { params: { path } }));
assert.equal(removed.message, 'Termination queued');
await until(async () => {
  const { response } = await client.GET('/accounts/{id}', { params: { path } });
  return response.status === 404;
});

const { error, response } = await createClient<paths>({ baseUrl }).GET('/accounts');
assert.deepEqual([response.status, error], [401, { message: 'Unauthenticated.' }]);

// The types are those of the document: a field that it does not have is refused.
// @ts-expect-error
assert.equal(account.no_such_field, undefined);
