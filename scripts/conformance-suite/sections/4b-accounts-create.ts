import type { Answer } from '../answer.ts';
import { type Clause, clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectRefused } from '../errors.ts';
import {
  MAIN_LIMITS,
  mainCreated,
  packagedCreated,
  packagedId,
  person,
  SMALLEST,
  sellPackage,
  smallestCreated,
} from '../fixtures.ts';
import { NOBODYS_ID } from '../nobody.ts';
import { skip } from '../outcome.ts';
import { ACCOUNT_LIMITS } from '../resource-shapes.ts';
import type { World } from '../world.ts';

const create = (world: World, body: Record<string, unknown>) => world.accounts.create(body);

/** One request with every value below its minimum, and one with every value that has a maximum above it. */
const tooLow = (world: World): Promise<Answer> =>
  world.once('the answer to limits that are too low', async () => {
    const low = Object.fromEntries(Object.entries(SMALLEST).map(([field, least]) => [field, least - 1]));
    return await create(world, { ...person(world, 'low'), username: 'ab', password: '1234567', ...low });
  });
const tooHigh = (world: World): Promise<Answer> =>
  world.once('the answer to values that are too high', async () =>
    create(world, {
      ...person(world, 'high'),
      ...MAIN_LIMITS,
      username: 'a'.repeat(17),
      name: 'n'.repeat(101),
      email: 'not an address',
      cpu_limit_percent: 10_001,
      package_id: null,
    }),
  );
const nothing = (world: World): Promise<Answer> =>
  world.once('the answer to an empty create', () => world.api.post('/accounts', {}));

const refused = (title: string, from: (world: World) => Promise<Answer>, field: string): Clause =>
  clause(title, async (world) => expectInvalid(await from(world), field));

const leastOf: [field: string, words: string][] = [
  ['disk_limit_mb', 'min 100'],
  ['bandwidth_limit_mb', 'min 100'],
  ['cpu_limit_percent', 'min 1'],
  ['ram_limit_mb', 'min 128'],
  ['io_read_mbps', 'min 5 if set'],
  ['io_write_mbps', 'min 5 if set'],
  ['iops', 'min 100 if set'],
  ['max_processes', 'min 20 if set'],
  ['max_domains', 'min 1'],
  ['max_databases', 'min 0'],
  ['max_apps', 'min 0'],
];

const fields: Clause[] = [
  ...['username', 'name', 'email', 'password'].map((field) =>
    refused(`${field} is required: 422 with errors.${field}`, nothing, field),
  ),
  refused('username: at least 3 characters', tooLow, 'username'),
  refused('username: at most 16 characters', tooHigh, 'username'),
  ...['a b c', 'a.b', 'äöü'].map((username) =>
    clause(`username: letters, digits, dash and underscore only; "${username}" is refused`, async (world) => {
      expectInvalid(await create(world, { ...person(world, 'x'), ...MAIN_LIMITS, username }), 'username');
    }),
  ),
  refused('name: at most 100 characters', tooHigh, 'name'),
  refused('email: an address', tooHigh, 'email'),
  refused('password: at least 8 characters', tooLow, 'password'),
  ...leastOf.map(([field, words]) => refused(`${field}: ${words}`, tooLow, field)),
  refused('cpu_limit_percent: at most 10000', tooHigh, 'cpu_limit_percent'),
  clause('The minimum of every limit is accepted and becomes the effective limit', async (world) => {
    const answer = await smallestCreated(world);
    for (const [field, least] of Object.entries(SMALLEST)) answer.expectAt(`data.${field}`, least);
  }),
];

const rules: Clause[] = [
  clause('Rule 1: with package_id the limits are optional and come from the package', async (world) => {
    const answer = await packagedCreated(world);
    const from = await sellPackage(world);
    answer.expectAt('data.package_id', from.id).expectAt('data.disk_limit_mb', from.disk_mb);
    answer.expectAt('data.bandwidth_limit_mb', from.bandwidth_mb).expectAt('data.ram_limit_mb', from.ram_mb);
    answer.expectAt('data.cpu_limit_percent', from.cpu_percent).expectAt('data.iops', from.iops);
    for (const field of ['io_read_mbps', 'io_write_mbps', 'max_processes', 'max_domains', 'max_databases'])
      answer.expectAt(`data.${field}`, from[field]);
    answer.expectAt('data.max_apps', from.max_apps).expectAt('data.terminal_access', from.terminal_access);
  }),
  clause("Rule 1: with package_id a limit in the request overrides the package's", async (world) => {
    const { id } = await sellPackage(world);
    const overrides = { disk_limit_mb: 123, iops: 321, max_databases: 3, terminal_access: true };
    const answer = await create(world, { ...person(world, 'over'), package_id: id, ...overrides });
    answer.expect(201);
    for (const [field, value] of Object.entries(overrides)) answer.expectAt(`data.${field}`, value);
  }),
  ...Object.keys(MAIN_LIMITS).map((field) =>
    clause(`Rule 1: without package_id ${field} is required`, async (world) => {
      const answer = await world.once('the answer to custom mode without limits', () =>
        create(world, { ...person(world, 'nolim'), package_id: null }),
      );
      expectInvalid(answer, field);
    }),
  ),
  clause(
    'Rule 2: custom limits become the effective limits; the account gets an internal package or the smallest one',
    async (world) => {
      const answer = (await mainCreated(world)).expectShape('data.package_id', 'int');
      for (const [field, value] of Object.entries(MAIN_LIMITS)) answer.expectAt(`data.${field}`, value);
    },
  ),
  clause('Rule 2: omitted IO, IOPS and process limits are unlimited', async (world) => {
    const answer = await mainCreated(world);
    for (const field of ['io_read_mbps', 'io_write_mbps', 'iops', 'max_processes'])
      answer.expectAt(`data.${field}`, null);
  }),
  clause("Rule 3: effective limits over a reseller's pool are refused", async (world) => {
    const reseller = world.as('reseller');
    const [field, size] =
      Object.entries(world.options.resellerPool)[0] ?? skip('needs --reseller-pool NAME=VALUE');
    const body = { ...person(world, 'pool'), ...MAIN_LIMITS, [field]: size + 1 };
    expectRefused(await world.accounts.create(body, reseller));
  }),
  clause('Rule 4: several accounts may have the same contact email', async (world) => {
    (await mainCreated(world)).expect(201);
    (await packagedCreated(world)).expect(201).expectAt('data.email', `${world.prefix}@example.com`);
  }),
  clause('Rule 5: a taken username is 422 with errors.username', async (world) => {
    await mainCreated(world);
    expectInvalid(await create(world, { ...person(world, 'main'), ...MAIN_LIMITS }), 'username');
  }),
  clause('Rule 5: the username of a panel user is also taken', async (world) => {
    const username = (await world.api.get('/auth/me')).string('user.username');
    if (!/^[a-z0-9_-]{3,16}$/.test(username))
      skip(`the username of the token's owner, ${username}, is not valid for an account`);
    const answer = await world.api.post('/accounts', { ...person(world, 'x'), ...MAIN_LIMITS, username });
    expectInvalid(answer, 'username');
  }),
  clause('Rule 5: a package that does not exist is 422 with errors.package_id', async (world) => {
    const answer = await create(world, { ...person(world, 'nopack'), package_id: NOBODYS_ID });
    expectInvalid(answer, 'package_id');
  }),
];

export const accountCreate = section(
  '4.7',
  'POST /accounts',
  ...fields,
  ...rules,
  clause(
    'Answers 201 with id, username, email, status, linux_user, home_path, package_id and limits',
    async (world) => {
      const answer = (await mainCreated(world)).expectShape('data', ACCOUNT_LIMITS);
      answer.expectAt('data.username', world.username('main')).expectAt('data.status', 'active');
      answer.expectAt('data.email', `${world.prefix}@example.com`).expectShape('data.home_path', 'string');
    },
  ),
  clause('A username in upper case is stored in lower case', async (world) => {
    const upper = world.username('caps').toUpperCase();
    const answer = await world.api.get(`/accounts/check-username?username=${upper}`);
    answer.expect(200).expectAt('data.username', upper.toLowerCase());
    expectThat((await packagedId(world)) > 0, 'an id', 'none');
  }),
);
