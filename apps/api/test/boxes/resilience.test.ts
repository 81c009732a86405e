import { type HostingServer, type Installation, waitUntil } from '@innkeeper/testkit';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from './installation.ts';
import { type AccountBody, createRestClient, type RestClient } from './rest-client.ts';

/** What is lost when a part of the system dies: time, and nothing else. */
let installation: Installation;
let server: HostingServer;
let api: RestClient;

const accountBody = (username: string) => ({
  username,
  name: 'Resilient',
  email: `${username}@example.com`,
  password: 'correct horse battery',
  package_id: installation.packages[0]!.id,
});

async function findAccount(username: string) {
  const list = await api.get<{ data: { id: number; username: string }[] }>(`/accounts?username=${username}`);
  return list.body.data[0];
}

async function untilSynced(username: string): Promise<number> {
  return await waitUntil(
    `${username} to be true on its node`,
    async () => {
      const found = await findAccount(username);
      if (found === undefined) return undefined;
      const shown = await api.get<AccountBody>(`/accounts/${found.id}`);
      return shown.body.data.synced ? found.id : undefined;
    },
    { timeoutMs: 30_000 },
  );
}

async function terminate(username: string): Promise<void> {
  const found = await findAccount(username);
  if (found === undefined) return;
  await api.delete(`/accounts/${found.id}`);
  await waitUntil(
    `${username} to be gone`,
    async () => (await api.get(`/accounts/${found.id}`)).status === 404,
    {
      timeoutMs: 30_000,
    },
  );
}

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  api = createRestClient(installation.baseUrl, installation.token);
});

afterEach(async () => {
  await installation.startNats();
  await installation.startApi();
  for (const username of ['nonats', 'killedapi', 'twins']) await terminate(username);
});

describe('resilience', () => {
  it('without NATS a create still completes, by polling', async () => {
    await installation.stopNats();
    const created = await api.post<AccountBody>('/accounts', accountBody('nonats'));
    expect(created.status).toBe(201);
    await untilSynced('nonats');
    expect(await server.box.require(['id', '-un', 'nonats'])).toBe('nonats\n');
  });

  it('an API killed after its commit loses no account', async () => {
    const answer = api.post('/accounts', accountBody('killedapi')).catch(() => 'connection lost');
    await waitUntil('the row to be committed', async () => await findAccount('killedapi'), { everyMs: 5 });
    await installation.killApi('SIGKILL');
    await answer;
    await installation.startApi();
    await untilSynced('killedapi');
    expect(await server.box.require(['id', '-un', 'killedapi'])).toBe('killedapi\n');
  });

  it('of two creates of one name at once, one wins', async () => {
    const answers = await Promise.all(
      [1, 2].map(() => api.post<AccountBody>('/accounts', accountBody('twins'))),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422]);
    expect(answers.find((answer) => answer.status === 422)?.body).toEqual({
      message: 'The username has already been taken.',
      errors: { username: ['The username has already been taken.'] },
    });
  });

  it('an agent that was away catches up with everything it missed', async () => {
    await server.box.require(['systemctl', 'stop', 'innkeeper-agent']);
    try {
      const created = await api.post<AccountBody>('/accounts', accountBody('twins'));
      expect(created).toMatchObject({ status: 201, body: { data: { status: 'active', synced: false } } });
    } finally {
      await server.box.require(['systemctl', 'start', 'innkeeper-agent']);
    }
    await untilSynced('twins');
  });
});
