import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { addToCounts, connect, deleteAccountRows, inTransaction } from '@innkeeper/db';
import { type HostingServer, type Installation, waitUntil } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from './installation.ts';
import { type AccountBody, createRestClient, type RestClient } from './rest-client.ts';

/** When a part of the system dies, only time is lost. */
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
  for (const username of ['nonats', 'killedapi', 'twins', 'living']) await terminate(username);
});

describe('recovery from failures', () => {
  it('without NATS the node polls, and a create still completes', async () => {
    await installation.stopNats();
    const created = await api.post<AccountBody>('/accounts', accountBody('nonats'));
    expect(created.status).toBe(201);
    await untilSynced('nonats');
    expect(await server.box.require(['id', '-un', 'nonats'])).toBe('nonats\n');
  });

  it('an account is not lost when the API is killed after its commit', async () => {
    const answer = api.post('/accounts', accountBody('killedapi')).catch(() => 'connection lost');
    await waitUntil('the row to be committed', async () => await findAccount('killedapi'), { everyMs: 5 });
    await installation.killApi('SIGKILL');
    await answer;
    await installation.startApi();
    await untilSynced('killedapi');
    expect(await server.box.require(['id', '-un', 'killedapi'])).toBe('killedapi\n');
  });

  it('of two concurrent creates of one username, one succeeds', async () => {
    const answers = await Promise.all(
      [1, 2].map(() => api.post<AccountBody>('/accounts', accountBody('twins'))),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422]);
    expect(answers.find((answer) => answer.status === 422)?.body).toEqual({
      message: 'The username has already been taken.',
      errors: { username: ['The username has already been taken.'] },
    });
  });

  it('an agent that was stopped catches up after its start', async () => {
    await server.box.require(['systemctl', 'stop', 'innkeeper-agent']);
    try {
      const created = await api.post<AccountBody>('/accounts', accountBody('twins'));
      expect(created).toMatchObject({ status: 201, body: { data: { status: 'active', synced: false } } });
    } finally {
      await server.box.require(['systemctl', 'start', 'innkeeper-agent']);
    }
    await untilSynced('twins');
  });

  it('after a restore of an older database, an account that it lacks cannot be created again, and its files stay', async () => {
    const created = await api.post<AccountBody>('/accounts', accountBody('living'));
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    const files = ['sh', '-ec', 'cat /home/living/kept; id -u living'];
    await server.box.require(['sh', '-ec', 'echo kept > /home/living/kept']);
    const before = await server.box.require(files);
    const db = await connectDatabase();
    try {
      // The state of a dump from before the account was created: no row, and the next id is the id of this account.
      const lost = await inTransaction(db, async (trx) => {
        const account = await trx
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const user = await trx
          .selectFrom('users')
          .selectAll()
          .where('id', '=', account.user_id)
          .executeTakeFirstOrThrow();
        await deleteAccountRows(trx, account, new Date());
        return { account, user };
      });
      await sql`alter table accounts auto_increment = ${sql.lit(id)}`.execute(db);

      const again = await api.post('/accounts', accountBody('living'));
      expect(again.status).toBe(422);
      expect(again.body).toMatchObject({
        errors: { username: [expect.stringContaining('of another creation')] },
      });
      expect(await findAccount('living')).toBeUndefined();
      expect(await server.box.require(files)).toBe(before);

      // The rows return with a higher generation: the node accepts them as the account that it already has.
      await inTransaction(db, async (trx) => {
        const { pending: _, ...account } = lost.account;
        await trx.insertInto('users').values(lost.user).execute();
        await trx.insertInto('usernames').values({ username: 'living', user_id: lost.user.id }).execute();
        const values = { ...account, generation: account.generation + 1, observed_generation: 0 };
        await trx.insertInto('accounts').values(values).execute();
        await addToCounts(trx, lost.account, 1);
      });
      await untilSynced('living');
      expect(await server.box.require(files)).toBe(before);
    } finally {
      await db.destroy();
    }
  });

  it('a username that exists on the hosting server is refused at its field', async () => {
    const taken = {
      status: 422,
      body: { errors: { username: [expect.stringMatching(/^The username cannot be used: /)] } },
    };
    await server.box.require(['useradd', '--uid', '4999', '--no-create-home', 'handmade']);
    await server.box.require(['install', '-d', '-m', '700', '/home/leftover']);
    try {
      for (const username of ['handmade', 'leftover']) {
        expect(await api.post('/accounts', accountBody(username))).toMatchObject(taken);
        await waitUntil(`${username} to be gone`, async () => (await findAccount(username)) === undefined);
      }
      expect(await server.box.require(['id', '-u', 'handmade'])).toBe('4999\n');
      expect(await server.box.require(['stat', '-c', '%u', '/home/leftover'])).toBe('0\n');
      // A new session reports these names in advance.
      await server.box.require(['systemctl', 'restart', 'innkeeper-agent']);
      const known = { errors: { username: ['The username has already been taken.'] } };
      for (const username of ['handmade', 'leftover'])
        await waitUntil(`${username} to be reserved`, async () => {
          const answer = await api.post<AccountBody>('/accounts', accountBody(username));
          expect(answer.body).toMatchObject(known);
          return true;
        });
    } finally {
      await server.box.require(['userdel', 'handmade']);
      await server.box.require(['rmdir', '/home/leftover']);
      await server.box.require(['systemctl', 'restart', 'innkeeper-agent']);
    }
  });
});

async function connectDatabase() {
  const settings = parseEnv(await readFile(join(installation.state.path, 'api.conf'), 'utf8'));
  return connect(settings.INNKEEPER_DATABASE_URL ?? '', { poolSize: 2 });
}
