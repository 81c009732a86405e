import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectMessage, expectRefused } from '../errors.ts';
import {
  databaseCreated,
  domainCreated,
  MAIN_LIMITS,
  mainId,
  type Package,
  packagedId,
  packages,
  person,
  SMALLEST,
  secondDomainCreated,
  sellPackage,
} from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { skip } from '../outcome.ts';
import { notFound } from '../record-clauses.ts';
import type { World } from '../world.ts';

/** The limits of a package, under the names of an account's limits. */
const limitsOf = (from: Package) => ({
  disk_limit_mb: from.disk_mb,
  bandwidth_limit_mb: from.bandwidth_mb,
  cpu_limit_percent: from.cpu_percent,
  ram_limit_mb: from.ram_mb,
  io_read_mbps: from.io_read_mbps,
  io_write_mbps: from.io_write_mbps,
  iops: from.iops,
  max_processes: from.max_processes,
  max_domains: from.max_domains,
  max_databases: from.max_databases,
  max_apps: from.max_apps,
  terminal_access: from.terminal_access,
});

async function otherPackage(world: World): Promise<Package> {
  const { id } = await sellPackage(world);
  const other = (await packages(world)).filter((found) => found.id !== id);
  return other[0] ?? skip('there is only one package');
}

const resources = async (world: World, changes: Record<string, unknown>) =>
  await world.api.patch(`/accounts/${await mainId(world)}/resources`, {
    ...MAIN_LIMITS,
    terminal_access: false,
    ...changes,
  });

const packageChange = section(
  '4.11',
  'PATCH /accounts/{id}/package',
  clause('Answers { data: Account } with the new package and all its limits', async (world) => {
    const id = await packagedId(world);
    const target = await otherPackage(world);
    const custom = { ...SMALLEST, disk_limit_mb: 222, max_databases: 2, max_apps: 1, terminal_access: true };
    (await world.api.patch(`/accounts/${id}/resources`, custom)).expect(200);
    const answer = await world.api.patch(`/accounts/${id}/package`, { package_id: target.id });
    answer.expect(200).expectAt('data.package.id', target.id);
    const shown = (await world.api.get(`/accounts/${id}`)).expect(200);
    for (const [field, value] of Object.entries(limitsOf(target))) shown.expectAt(`data.${field}`, value);
  }),
  clause("The account's current package: an error { message }", async (world) => {
    const id = await packagedId(world);
    const has = (await world.api.get(`/accounts/${id}`)).id('data.package.id');
    const answer = await world.api.patch(`/accounts/${id}/package`, { package_id: has });
    expectMessage(answer, 422);
  }),
  clause(
    'An account with more domains, databases or apps than the target allows: refused, and unchanged',
    async (world) => {
      await domainCreated(world);
      await secondDomainCreated(world);
      await databaseCreated(world);
      const id = await mainId(world);
      const shown = (await world.api.get(`/accounts/${id}`)).expect(200);
      const domains = shown.items('data.domains').length;
      const databases = (await world.api.get(`/databases?hosting_account_id=${id}`)).id('total');
      const tooSmall = (await packages(world)).find(
        ({ max_domains, max_databases }) =>
          Number(max_domains) < domains || Number(max_databases) < databases,
      );
      if (tooSmall === undefined)
        skip(`no package allows fewer than ${domains} domains or ${databases} databases`);
      expectRefused(await world.api.patch(`/accounts/${id}/package`, { package_id: tooSmall.id }));
      (await world.api.get(`/accounts/${id}`)).expectAt('data.package', shown.at('data.package'));
    },
  ),
  clause('package_id is required', async (world) => {
    expectInvalid(await world.api.patch(`/accounts/${await packagedId(world)}/package`, {}), 'package_id');
  }),
  clause('A package that does not exist: 422', async (world) => {
    const path = `/accounts/${await packagedId(world)}/package`;
    expectRefused(await world.api.patch(path, { package_id: NOBODYS_ID }));
  }),
);

const resourceChange = section(
  '4.12',
  'PATCH /accounts/{id}/resources',
  clause('Sets the limits and does not change package_id', async (world) => {
    const before = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
    const changes = { disk_limit_mb: 600, cpu_limit_percent: 60, iops: 200, max_processes: 40 };
    (await resources(world, changes)).expect(200);
    const after = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
    for (const [field, value] of Object.entries(changes)) after.expectAt(`data.${field}`, value);
    after.expectAt('data.package', before.at('data.package'));
  }),
  clause('An omitted IO, IOPS or process limit is unchanged', async (world) => {
    (await resources(world, { io_read_mbps: 7, iops: 200, max_processes: 40 })).expect(200);
    (await resources(world, {})).expect(200);
    const shown = await world.api.get(`/accounts/${await mainId(world)}`);
    shown.expectAt('data.io_read_mbps', 7).expectAt('data.iops', 200).expectAt('data.max_processes', 40);
  }),
  clause('null removes a limit: unlimited', async (world) => {
    const none = { io_read_mbps: null, io_write_mbps: null, iops: null, max_processes: null };
    (await resources(world, none)).expect(200);
    const shown = await world.api.get(`/accounts/${await mainId(world)}`);
    for (const field of Object.keys(none)) shown.expectAt(`data.${field}`, null);
  }),
  clause(
    'terminal_access belongs to the account: other accounts and the package do not change',
    async (world) => {
      const before = (await world.api.get(`/accounts/${await packagedId(world)}`)).expect(200);
      (await resources(world, { terminal_access: true })).expect(200);
      const shown = await world.api.get(`/accounts/${await mainId(world)}`);
      shown.expectAt('data.terminal_access', true);
      const after = await world.api.get(`/accounts/${await packagedId(world)}`);
      after.expectAt('data.terminal_access', before.at('data.terminal_access'));
    },
  ),
  ...[...Object.keys(MAIN_LIMITS), 'terminal_access'].map((field) =>
    clause(`${field} is required`, async (world) => {
      const answer = await world.once('the answer to resources without fields', async () =>
        world.api.patch(`/accounts/${await mainId(world)}/resources`, {}),
      );
      expectInvalid(answer, field);
    }),
  ),
  ...Object.entries(SMALLEST).map(([field, least]) =>
    clause(`${field}: min ${least}`, async (world) => {
      const low = Object.fromEntries(Object.entries(SMALLEST).map(([name, value]) => [name, value - 1]));
      const answer = await world.once('the answer to resources that are too low', () =>
        resources(world, low),
      );
      expectInvalid(answer, field);
    }),
  ),
  clause('cpu_limit_percent: at most 10000', async (world) => {
    expectInvalid(await resources(world, { cpu_limit_percent: 10_001 }), 'cpu_limit_percent');
  }),
  clause('max_databases below the number of databases is refused', async (world) => {
    await databaseCreated(world);
    expectRefused(await resources(world, { max_databases: 0 }));
  }),
  clause('max_domains below the number of domains is refused', async (world) => {
    await domainCreated(world);
    await secondDomainCreated(world);
    expectRefused(await resources(world, { max_domains: 1 }));
  }),
  clause('A refused request changes nothing', async (world) => {
    const shown = (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
    shown.expectAt('data.max_domains', MAIN_LIMITS.max_domains);
  }),
);

export const accountChanges = [
  section(
    '4.9',
    'PATCH /accounts/{id}/suspend and /unsuspend',
    clause('suspend needs no body and answers { data: Account }', async (world) => {
      const id = await packagedId(world);
      const answer = (await world.api.patch(`/accounts/${id}/suspend`)).expect(200);
      answer.expectAt('data.id', id).expectAt('data.status', 'suspended');
    }),
    clause('unsuspend needs no body and answers { data: Account }', async (world) => {
      const id = await packagedId(world);
      const answer = (await world.api.patch(`/accounts/${id}/unsuspend`)).expect(200);
      answer.expectAt('data.id', id).expectAt('data.status', 'active');
    }),
    clause('An account that does not exist: 404', async ({ api }) => {
      expectMessage(await api.patch(`/accounts/${NOBODYS_ID}/suspend`), 404);
      expectMessage(await api.patch(`/accounts/${NOBODYS_ID}/unsuspend`), 404);
    }),
  ),
  section(
    '4.10',
    'PATCH /accounts/{id}/password',
    clause('A password of 8 characters is accepted', async (world) => {
      const path = `/accounts/${await mainId(world)}/password`;
      (await world.api.patch(path, { password: '8 chars.' })).expect(200);
    }),
    clause('A password of 7 characters: 422', async (world) => {
      const path = `/accounts/${await mainId(world)}/password`;
      expectInvalid(await world.api.patch(path, { password: '7 chars' }), 'password');
    }),
    clause('password is required', async (world) => {
      expectInvalid(await world.api.patch(`/accounts/${await mainId(world)}/password`, {}), 'password');
    }),
  ),
  packageChange,
  resourceChange,
  section(
    '4.16',
    'DELETE /accounts/{id}',
    clause("Answers { message: 'Termination queued' }", async (world) => {
      const answer = await world.accounts.create({ ...person(world, 'gone'), ...MAIN_LIMITS });
      const id = answer.expect(201).id();
      (await world.api.delete(`/accounts/${id}`)).expect(200).expectAt('message', 'Termination queued');
      await world.once('the terminated account', async () => id);
    }),
    clause(
      'GET /accounts/{id} answers 404, and the list omits the account, when the termination is complete',
      async (world) => {
        const id = await world.had<number>('the terminated account');
        const answer = await world.poll(
          () => world.api.get(`/accounts/${id}`),
          ({ status }) => status === 404,
        );
        expectMessage(answer, 404);
        world.accounts.forget(world.username('gone'));
        const listed = (await world.api.get(`/accounts?username=${world.username('gone')}`)).expect(200);
        expectThat(listed.items().length === 0, 'no such account in the list', listed.excerpt());
      },
    ),
    notFound('An account', (api) => api.delete(`/accounts/${NOBODYS_ID}`)),
  ),
];
