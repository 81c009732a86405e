import { clause, expectThat, section } from '../clause.ts';
import { mainCreated, mainId, PASSWORD, packagedCreated, person } from '../fixtures.ts';
import { skip } from '../outcome.ts';

export const service = section(
  '1',
  'What the service does',
  clause('Every path begins with the base URL, which ends in /api/v1', async ({ options }) => {
    expectThat(/\/api\/v1$/.test(options.baseUrl), 'a base URL that ends in /api/v1', options.baseUrl);
  }),
  clause("A billing module's connection test is GET /auth/me", async ({ api }) => {
    (await api.get('/auth/me')).expect(200).expectAt('status', 'ok');
  }),
  clause('Package mode: POST /accounts accepts package_id without limits', async (world) => {
    (await packagedCreated(world)).expect(201);
  }),
  clause(
    'Custom mode: POST /accounts accepts all seven required limits without package_id',
    async (world) => {
      (await mainCreated(world)).expect(201);
    },
  ),
  clause("The login identifier is the account's username, which is unique", async (world) => {
    await mainCreated(world);
    const again = { ...person(world, 'main'), password: PASSWORD, package_id: 1 };
    const answer = await world.api.post('/accounts', again);
    answer.expect(422);
  }),
  clause("An account's contact email is required", async (world) => {
    const { email: _, ...rest } = person(world, 'nomail');
    const answer = await world.accounts.create({ ...rest, package_id: null });
    answer.expect(422).expectShape('errors.email', 'list of strings');
  }),
  clause("An admin's token lists all accounts", async (world) => {
    (await world.api.get(`/accounts/${await mainId(world)}`)).expect(200);
  }),
  clause("A reseller's token lists only its own accounts; any other account is 404", async (world) => {
    const reseller = world.as('reseller');
    const id = await mainId(world);
    (await reseller.get(`/accounts/${id}`)).expect(404);
    const username = world.username('main');
    (await reseller.get(`/accounts?username=${username}`)).expect(200).expectAt('data', []);
  }),
  clause(
    'Sign-in by password asks for the TOTP code of a user who has one; a login link does not',
    async () => skip('the API has no password login to test this with'),
  ),
  clause('Backups, FTP, files, terminal and the database admin tool are not in the API', async ({ api }) => {
    for (const path of ['/backups', '/ftp-accounts', '/files', '/terminal'])
      (await api.get(path)).expect(404);
  }),
);
