import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  type HostingServer,
  type Installation,
  notedSecrets,
  noteSecret,
  readInnctl,
  searchControlPlane,
  searchGuest,
  waitUntil,
} from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from './installation.ts';
import { type AccountBody, createRestClient, type RestClient } from './rest-client.ts';

/**
 * One account with every kind of secret, whose steps succeed and fail. None of its secrets may be in a log, a journal,
 * a core file, an argument of any program, a metric, or the ledger. The complete run of the box tests is searched in
 * the same way at its end (`packages/testkit/src/leaks`).
 */
const username = 'canary';
const site = 'canary.example.com';

let installation: Installation;
let server: HostingServer;
let api: RestClient;
let accountId = 0;

const inBox = (...argv: string[]) => server.box.require(argv);
const secretText = (kind: string) => `canary-${kind}-${randomBytes(12).toString('hex')}`;
const stateDir = () => installation.state.dir;
const metricsUrl = () => `http://127.0.0.1:${installation.ports.metrics}/metrics`;

async function everywhere(secrets = notedSecrets(stateDir())) {
  const [inGuest, inControlPlane] = await Promise.all([
    searchGuest(server.box, secrets),
    searchControlPlane(stateDir(), metricsUrl(), secrets),
  ]);
  return [...inGuest, ...inControlPlane];
}

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  api = createRestClient(installation.baseUrl, installation.token);
});

afterAll(async () => {
  if (accountId !== 0) await api.delete(`/accounts/${accountId}`);
});

describe('the search for secrets', () => {
  it('finds a secret in a journal, a log, an argument and a core file', async () => {
    const planted = ['journal', 'log', 'argument', 'core'].map((kind) => ({
      kind,
      value: secretText(`planted-${kind}`),
    }));
    const [journal, log, argument, core] = planted.map(({ value }) => value);
    await inBox('sh', '-c', 'echo "$0" | systemd-cat', journal!);
    await server.box.writeFile('/var/log/canary-planted.log', `a line with ${log}\n`);
    await server.box.writeFile('/root/core.4711', `${'x'.repeat(20_000)}${core}\n`);
    // systemd starts this command, so it does not count as a program of the test.
    await inBox('systemd-run', '--quiet', '--wait', '/usr/bin/env', 'sleep', '0.2', argument!).catch(
      () => {},
    );
    await inBox('journalctl', '--sync');
    const found = await waitUntil('all four to be found', async () => {
      const kinds = new Set((await everywhere(planted)).map(({ kind }) => kind));
      return kinds.size === planted.length && kinds;
    });
    expect([...found].sort()).toEqual(['argument', 'core', 'journal', 'log']);
    await inBox('rm', '-f', '/var/log/canary-planted.log', '/root/core.4711');
  });
});

describe('an account with a secret of every kind', () => {
  it('is created and changed, while the database server is down and the agent crashes', async () => {
    const professional = installation.packages.find(({ name }) => name === 'Professional')!.id;
    const created = await api.post<AccountBody>('/accounts', {
      username,
      name: 'Canary',
      email: 'canary@example.com',
      password: secretText('password'),
      package_id: professional,
    });
    expect(created).toMatchObject({ status: 201 });
    accountId = created.body.data.id;
    const addDomain = (domain_name: string) =>
      api.post<{ data: { id: number } }>('/domains', { hosting_account_id: accountId, domain_name });
    const [domain, second] = [await addDomain(site), await addDomain(`cloned.${site}`)];
    expect([domain.status, second.status]).toEqual([201, 201]);
    expect(
      await api.patch(`/accounts/${accountId}/password`, { password: secretText('password') }),
    ).toMatchObject({ status: 200 });

    const database = await api.post<{ data: { id: number } }>('/databases', {
      hosting_account_id: accountId,
      name: 'secrets',
    });
    expect(database).toMatchObject({ status: 201 });
    expect(await api.patch(`/databases/${database.body.data.id}/password`)).toMatchObject({ status: 200 });

    const app = await api.post<{ data: { id: number } }>('/apps', {
      hosting_account_id: accountId,
      template_key: 'nodejs',
      name: 'Canary',
      domain_id: domain.body.data.id,
      env: { API_TOKEN: secretText('variable'), NODE_ENV: 'production' },
    });
    expect(app).toMatchObject({ status: 201 });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cloned = await api.post<{ data: { id: number } }>('/apps', {
      hosting_account_id: accountId,
      template_key: 'nodejs',
      name: 'Cloned',
      domain_id: second.body.data.id,
      git: {
        repository: 'ssh://git@repository.example.com/nobody/nothing.git',
        branch: 'main',
        deploy_key: privateKey.export({ type: 'sec1', format: 'pem' }),
      },
    });
    expect([cloned.status, cloned.body]).toMatchObject([201, {}]);

    const innctl = installation.innctl;
    const { token } = await readInnctl<{ token: string }>(innctl, [
      ...['token', 'create', '--user', 'admin', '--name', 'canary', '--preset', 'full_access'],
    ]);
    noteSecret('token', token);
    expect((await createRestClient(installation.baseUrl, token).get('/accounts')).status).toBe(200);
    const wrong = secretText('wrong-token');
    noteSecret('token', wrong);
    expect((await createRestClient(installation.baseUrl, wrong).get('/accounts')).status).toBe(401);

    // Failures log the most: the database server is stopped while a password is being set.
    await inBox('systemctl', 'stop', 'mariadb');
    await api.patch(`/databases/${database.body.data.id}/password`);
    await inBox('systemctl', 'start', 'mariadb');
    // A crash may leave a core file.
    await inBox('systemctl', 'kill', '--signal=ABRT', '--kill-whom=main', 'innkeeper-agent');
    await inBox('innkeeper-agent', 'status', '--wait', '60');
    expect(await api.patch(`/accounts/${accountId}/suspend`)).toMatchObject({ status: 200 });
    expect(await api.patch(`/accounts/${accountId}/unsuspend`)).toMatchObject({ status: 200 });
  }, 120_000);

  it('leaves no secret in a log, a journal, an argument or a core file', async () => {
    await inBox('journalctl', '--sync');
    const kinds = notedSecrets(stateDir()).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['password', 'token', 'deploy_key', 'env.API_TOKEN']));
    expect(await everywhere()).toEqual([]);
  });
});
