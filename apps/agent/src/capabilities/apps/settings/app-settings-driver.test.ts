import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { FakeServer } from '../../../../test/fake-host.ts';
import { specOf } from '../../../../test/specs.ts';
import { Changes } from '../../../node/changes.ts';
import { runPass } from '../../../reconciler/pass.ts';
import type { Host } from '../../host.ts';
import { driversFor } from '../../index.ts';
import type { PrepareJob } from '../task/job.ts';

const blog: AppSpec = {
  app_id: 7,
  template_key: 'wordpress',
  runtime: 'php',
  installer: 'wordpress',
  retries: 0,
  desired_state: 'running',
  domain_id: null,
  database_id: 3,
  node_version: null,
  start_command: '',
  env: [{ name: 'WORDPRESS_ADMIN_USER', value: 'alice', is_secret: false }],
  release: null,
};
const spec = specOf({
  databases: [
    {
      database_id: 3,
      db_name: 'alice_blog',
      password: 'First1'.repeat(4),
      password_revision: 1,
      allowed_ips: [],
      desired_state: 'active',
    },
  ],
  apps: [blog],
});
const withPassword = (password: string): AccountSpec => ({
  ...spec,
  databases: spec.databases.map((database) => ({ ...database, password, password_revision: 2 })),
});
const passOf = async (
  server: FakeServer,
  wanted: AccountSpec,
  change: (host: Host) => Host = (host) => host,
) =>
  await runPass(wanted, driversFor(wanted.desired_state), {
    host: change(server.host(new Changes())),
    now: () => 0,
    mayContinue: () => 'go',
    onChange: () => {},
  });
const settingsOf = (server: FakeServer) => server.apps.at(spec.uid, blog.app_id).settings;

test('writes WordPress’s database settings before the installation; the task gets no password', async () => {
  const server = new FakeServer();
  let known: string | undefined;
  await passOf(server, spec, (host) => ({
    ...host,
    tasks: {
      ...host.tasks,
      start: async (owner, task) => {
        known = settingsOf(server);
        await host.tasks.start(owner, task);
      },
    },
  }));
  expect(known).toContain(`"DB_PASSWORD": "${'First1'.repeat(4)}"`);
  const [task] = server.apps.started;
  expect((task?.job as PrepareJob | undefined)?.source).toMatchObject({
    kind: 'wordpress',
    user: 'alice',
    password: '',
  });
  expect(JSON.stringify(task)).not.toContain('First1');
});

test('writes a new password once, whatever the file contained, and reports it nowhere', async () => {
  const server = new FakeServer();
  await passOf(server, spec);
  server.apps.at(spec.uid, blog.app_id).settings = 'something else';
  const pass = await passOf(server, withPassword('Second2'.repeat(4)));
  expect(settingsOf(server)).toContain('Second2');
  expect(JSON.stringify(pass)).not.toMatch(/First1|Second2/);
  const changes = new Changes();
  const again = await runPass(withPassword('Second2'.repeat(4)), driversFor('active'), {
    host: server.host(changes),
    now: () => 0,
    mayContinue: () => 'go',
    onChange: () => {},
  });
  expect(again).toMatchObject({ retryable: false });
  expect(changes.count).toBe(0);
});

test('writes nothing for an app whose database is removed, or for a suspended account', async () => {
  const server = new FakeServer();
  const gone = spec.databases.map((database) => ({ ...database, desired_state: 'absent' as const }));
  await passOf(server, { ...spec, databases: gone });
  expect(settingsOf(server)).toBeUndefined();
  await passOf(server, { ...spec, desired_state: 'suspended' });
  expect(settingsOf(server)).toBeUndefined();
});
