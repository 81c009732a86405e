import { readFileSync } from 'node:fs';
import { waitUntil } from '@innkeeper/testkit';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { paths } from '../generated-client/api.gen.ts';
import { generatedFile, renderClientTypes } from '../generated-client/generate.ts';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
beforeAll(async () => {
  rig = await startControlPlaneRig();
});
afterAll(() => rig?.stop());

it('its committed types are those of the document', async () => {
  const isFresh = readFileSync(generatedFile, 'utf8') === (await renderClientTypes());
  expect(isFresh, 'run: node apps/api/test/generated-client/generate.ts').toBe(true);
});

/** Returns the data of an answer. Throws if the answer is not a success. */
function required<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.status}: ${JSON.stringify(error)}`);
  return data;
}

it('a client generated from the document leads an account through its life', async () => {
  const client = createClient<paths>({
    baseUrl: `${rig.origin}/api/v1`,
    headers: { Authorization: `Bearer ${rig.adminToken}` },
  });
  const username = 'generated';
  const free = required(await client.GET('/accounts/check-username', { params: { query: { username } } }));
  expect(free.data).toEqual({ username, available: true });

  const created = required(
    await client.POST('/accounts', {
      body: {
        username,
        name: 'Generated',
        email: 'generated@example.com',
        password: 'correct horse',
        package_id: rig.packages.large,
      },
    }),
  );
  const account = created.data;
  expect(account).toMatchObject({ username, status: 'active', synced: true });
  const path = { id: account.id };

  const domain = required(
    await client.POST('/domains', {
      body: { hosting_account_id: account.id, domain_name: 'Generated.Example.com' },
    }),
  ).data;
  expect(domain).toMatchObject({ domain_name: 'generated.example.com', is_primary: true });

  const database = required(
    await client.POST('/databases', { body: { hosting_account_id: account.id, name: 'shop' } }),
  ).data;
  expect(database).toMatchObject({ name: 'shop', allowed_ips: null });
  await waitUntil('the database is active', async () => {
    const shown = required(await client.GET('/databases/{id}', { params: { path: { id: database.id } } }));
    return shown.data.status === 'active';
  });

  const cronJob = required(
    await client.POST('/cron-jobs', {
      body: { hosting_account_id: account.id, schedule: '15 3 * * *', command: 'php clean-up.php' },
    }),
  ).data;
  expect(cronJob).toMatchObject({ enabled: true, hosting_account_id: account.id });

  const suspended = required(await client.PATCH('/accounts/{id}/suspend', { params: { path } }));
  expect(suspended.data.status).toBe('suspended');
  const active = required(await client.PATCH('/accounts/{id}/unsuspend', { params: { path } }));
  expect(active.data.status).toBe('active');

  const usage = required(await client.GET('/accounts/{id}/usage', { params: { path } }));
  expect(usage.data).toMatchObject({ disk_limit_mb: account.disk_limit_mb });
  const ofMany = required(
    await client.GET('/accounts/usage/bulk', {
      params: { query: { 'hosting_account_id[]': [account.id, 999_999] } },
    }),
  );
  expect(ofMany.meta).toEqual({ requested: 2, returned: 1, missing_ids: [999_999] });
  expect(ofMany.data[account.id]?.disk_limit_mb).toBe(account.disk_limit_mb);

  const link = required(
    await client.POST('/accounts/{id}/login-link', {
      params: { path },
      body: { target: 'domains', domain_id: domain.id },
    }),
  );
  expect(link.data).toMatchObject({ expires_in: 300, user_username: username, target: 'domains' });
  const { pathname, search } = new URL(link.data.login_url);
  const followed = await fetch(rig.origin + pathname + search, { redirect: 'manual' });
  expect([followed.status, followed.headers.get('Location')]).toEqual([302, `/domains/${domain.id}`]);

  const listed = required(
    await client.GET('/domains', { params: { query: { hosting_account_id: account.id } } }),
  );
  expect(listed.data.map(({ id }) => id)).toEqual([domain.id]);

  const removed = required(await client.DELETE('/accounts/{id}', { params: { path } }));
  expect(removed.message).toBe('Termination queued');
  await waitUntil('the account is gone', async () => {
    const { response } = await client.GET('/accounts/{id}', { params: { path } });
    return response.status === 404;
  });
});

it('a client generated from the document reads refusals', async () => {
  const client = createClient<paths>({ baseUrl: `${rig.origin}/api/v1` });
  const { error, response } = await client.GET('/accounts');
  expect([response.status, error]).toEqual([401, { message: 'Unauthenticated.' }]);
});
