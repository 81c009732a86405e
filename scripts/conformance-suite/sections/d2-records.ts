import type { Answer } from '../answer.ts';
import { clause, decisions, expectThat } from '../clause.ts';
import { expectInvalid, expectMessage, expectServiceError } from '../errors.ts';
import {
  appCreated,
  CRON,
  databaseCreated,
  deployable,
  domainCreated,
  MAIN_LIMITS,
  mainCreated,
  mainId,
  packagedId,
  roomyCreated,
  roomyId,
  templates,
} from '../fixtures.ts';
import { skip } from '../outcome.ts';
import type { World } from '../world.ts';

const addDomain = async (world: World, domain_name: string, more: object = {}): Promise<Answer> =>
  await world.api.post('/domains', { hosting_account_id: await roomyId(world), domain_name, ...more });

const addCron = async (world: World, changes: object): Promise<Answer> =>
  await world.api.post('/cron-jobs', { hosting_account_id: await roomyId(world), ...CRON, ...changes });

/** Creates one job at a time: the package may allow only one. */
async function acceptsCron(world: World, changes: object): Promise<void> {
  const answer = (await addCron(world, changes)).expect(201);
  (await world.api.delete(`/cron-jobs/${answer.id()}`)).expect(200);
}

const accounts = decisions(
  'D5',
  'Decisions: accounts',
  clause('System usernames count as taken', async ({ api }) => {
    for (const name of ['root', 'mysql', 'www-data', 'nobody']) {
      const answer = (await api.get(`/accounts/check-username?username=${name}`)).expect(200);
      answer.expectAt('data.available', false);
    }
  }),
  clause(
    'linux_user is the username, with _ before it when it does not begin with a letter',
    async (world) => {
      (await mainCreated(world)).expectAt('data.linux_user', world.username('main'));
      const answer = await roomyCreated(world);
      answer.expectAt('data.linux_user', `_${answer.string('data.username')}`);
    },
  ),
  clause('Suspending a suspended account and unsuspending an active one: 200', async (world) => {
    const id = await packagedId(world);
    for (const [verb, status] of [
      ['suspend', 'suspended'],
      ['suspend', 'suspended'],
      ['unsuspend', 'active'],
      ['unsuspend', 'active'],
    ])
      (await world.api.patch(`/accounts/${id}/${verb}`)).expect(200).expectAt('data.status', status);
  }),
  clause('The username of a terminated account is free again', async (world) => {
    const name = world.username('gone');
    await world.had<number>('the terminated account');
    (await world.api.get(`/accounts/check-username?username=${name}`))
      .expect(200)
      .expectAt('data.available', true);
  }),
);

const domains = decisions(
  'D6',
  'Decisions: domains',
  clause('The first domain of an account is primary', async (world) => {
    (await domainCreated(world)).expectAt('data.ssl.status', 'none');
    const answer = await world.once('the first domain of an account', () =>
      addDomain(world, world.domainName('first')),
    );
    answer.expect(201).expectAt('data.is_primary', true);
  }),
  clause('Upper case and a trailing dot are normalised', async (world) => {
    const name = world.domainName('capitals');
    (await addDomain(world, `${name.toUpperCase()}.`)).expect(201).expectAt('data.domain_name', name);
  }),
  clause('A Unicode name is stored as punycode', async (world) => {
    const answer = await addDomain(world, world.domainName('bücher'));
    answer.expect(201);
    expectThat(
      answer.string('data.domain_name').startsWith('xn--'),
      'xn--...',
      answer.at('data.domain_name'),
    );
  }),
  clause('A name in use: 422 "has already been taken"', async (world) => {
    await domainCreated(world);
    const answer = await addDomain(world, world.domainName('main'));
    expectInvalid(answer, 'domain_name');
    answer.expectAt('errors.domain_name', ['The domain name has already been taken.']);
  }),
  clause("A name below another account's domain: 422, unless an admin sends allow_overlap", async (world) => {
    await domainCreated(world);
    const below = `shop.${world.domainName('main')}`;
    expectInvalid(await addDomain(world, below), 'domain_name');
    (await addDomain(world, below, { allow_overlap: true })).expect(201);
  }),
  ...['co.uk', '*.example.com', '192.0.2.1', 'a_b.example.com', '-a.example.com', 'a.example.com:80'].map(
    (name) =>
      clause(`The name ${name} is refused`, async (world) =>
        expectInvalid(await addDomain(world, name), 'domain_name'),
      ),
  ),
  clause('After the primary domain is removed, the oldest domain is primary', async (world) => {
    const first = (await world.had<Answer>('the first domain of an account')).id();
    (await world.api.delete(`/domains/${first}`)).expect(200);
    await world.poll(
      () => world.api.get(`/domains/${first}`),
      ({ status }) => status === 404,
    );
    const shown = (await world.api.get(`/accounts/${await roomyId(world)}`)).expect(200);
    const primary = shown.items('data.domains').filter(({ is_primary }) => is_primary);
    expectThat(primary.length === 1, 'one primary domain', primary);
  }),
  clause('A domain over the limit: { error: "Domain limit reached (n)." }', async (world) => {
    const body = { hosting_account_id: await mainId(world), domain_name: world.domainName('over') };
    const listed = await world.api.get(`/domains?hosting_account_id=${body.hosting_account_id}`);
    if (listed.at('total') !== MAIN_LIMITS.max_domains)
      skip('the account is below max_domains: run section 8 as well');
    const answer = await world.api.post('/domains', body);
    expectServiceError(answer);
    answer.expectAt('error', `Domain limit reached (${MAIN_LIMITS.max_domains}).`);
  }),
);

const apps = decisions(
  'D7',
  'Decisions: apps',
  clause('The templates are php, static, nodejs and wordpress', async (world) => {
    const keys = (await templates(world)).map(({ key }) => String(key)).sort();
    expectThat(keys.join() === 'nodejs,php,static,wordpress', 'nodejs, php, static, wordpress', keys);
  }),
  clause('A variable with TOKEN in its name is a secret', async (world) => {
    const answer = (await world.api.get(`/apps/${(await appCreated(world)).id()}`)).expect(200);
    const found = answer.items('data.env_vars').find(({ key }) => key === 'API_TOKEN');
    expectThat(found?.is_secret === true && found.value === null, 'is_secret true, value null', found);
  }),
  clause('An invalid name of a variable is refused', async (world) => {
    const body = {
      hosting_account_id: await roomyId(world),
      template_key: await deployable(world),
      name: 'x',
    };
    (await world.api.post('/apps', { ...body, env: { 'BAD-NAME': '1' } })).expect(422);
  }),
  clause('A Node.js version that the server does not have: 422', async (world) => {
    const body = { hosting_account_id: await roomyId(world), template_key: 'nodejs', name: 'x' };
    expectInvalid(await world.api.post('/apps', { ...body, node_version: '3' }), 'node_version');
  }),
  clause('deploy-git of an app without Git: { error }', async (world) => {
    expectServiceError(await world.api.post(`/apps/${(await appCreated(world)).id()}/deploy-git`));
  }),
);

const databases = decisions(
  'D8',
  'Decisions: databases',
  clause('db_name and db_user consist of linux_user and the name', async (world) => {
    const user = (await mainCreated(world)).string('data.linux_user');
    const answer = (await databaseCreated(world)).expectAt('data.db_name', `${user}_shop`);
    answer.expectAt('data.db_user', `${user}_shop`);
  }),
  clause('An allowed address in another notation is a duplicate: 422', async (world) => {
    const path = `/databases/${(await databaseCreated(world)).id()}/allowed-ips`;
    (await world.api.post(path, { ip: '2001:DB8:0:0::99' })).expect(200);
    expectInvalid(await world.api.post(path, { ip: '2001:db8::99' }), 'ip');
    const left = await world.api.delete(`${path}/2001:db8:0::99`);
    left.expect(200).expectAt('data.allowed_ips', null);
  }),
  clause('Removing an address that is not allowed: 404', async (world) => {
    const path = `/databases/${(await databaseCreated(world)).id()}/allowed-ips/192.0.2.200`;
    expectMessage(await world.api.delete(path), 404);
  }),
);

const cronJobs = decisions(
  'D9',
  'Decisions: cron jobs',
  ...['@hourly', '0 3 * * 1-5', '*/15 * * * *'].map((schedule) =>
    clause(`The schedule ${schedule} is accepted, and a new job is enabled`, async (world) => {
      await acceptsCron(world, { schedule });
    }),
  ),
  clause('The schedule @reboot: 422 with errors.schedule', async (world) => {
    expectInvalid(await addCron(world, { schedule: '@reboot' }), 'schedule');
  }),
  ...['php a.php >/dev/null', 'curl "https://example.com/?a=%20"', 'cd $HOME'].map((command) =>
    clause(`The command is accepted: ${command}`, async (world) => acceptsCron(world, { command })),
  ),
  ...['php a.php 2>&1', '/usr/bin/sudo id', 'php "a;b"', 'echo x > /var/x', 'echo x >/dev/sda'].map(
    (command) =>
      clause(`The command is refused with errors.command: ${command}`, async (world) => {
        expectInvalid(await addCron(world, { command }), 'command');
      }),
  ),
);

export const recordDecisions = [accounts, domains, apps, databases, cronJobs];
