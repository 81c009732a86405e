import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type HostingServer, type Installation, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BrowserVisitor, type PanelBrowser, startBrowser } from './browser.ts';
import { useInstallation } from './installation.ts';
import { createRestClient, type RestClient } from './rest-client.ts';

/** Export and import of databases in the panel, with a real database server. The cases depend on each other. */
const ACCOUNT = 'datashop';
const PASSWORD = 'correct horse battery';

vi.setConfig({ testTimeout: 120_000 });

let installation: Installation;
let server: HostingServer;
let browser: PanelBrowser;
let customer: BrowserVisitor;
let api: RestClient;
let accountId = 0;
let shop = { id: 0, db_name: '' };
let copy = { id: 0, db_name: '' };

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  const origin = `http://127.0.0.1:${installation.ports.http}`;
  browser = await startBrowser([origin]);
  api = createRestClient(installation.baseUrl, installation.token);
  const packages = await api.get<{ data: { id: number; name: string }[] }>('/packages');
  const made = await api.post<{ data: { id: number } }>('/accounts', {
    username: ACCOUNT,
    name: 'A shop',
    email: `${ACCOUNT}@example.com`,
    password: PASSWORD,
    package_id: packages.body.data.find(({ name }) => name === 'Professional')?.id,
  });
  accountId = made.body.data.id;
  const database = async (name: string) =>
    (await api.post<{ data: typeof shop }>('/databases', { hosting_account_id: accountId, name })).body.data;
  shop = await database('shop');
  copy = await database('copy');
  customer = await browser.visitor();
  await customer.open('/login');
  await customer.page.locator('[name=username]').fill(ACCOUNT);
  await customer.page.locator('[name=password]').fill(PASSWORD);
  await customer.page.keyboard.press('Enter');
  await customer.page.waitForURL(`${origin}/`);
}, 300_000);

afterAll(async () => {
  await browser?.stop();
  if (accountId !== 0) await api.delete(`/accounts/${accountId}`);
});

async function importFile(id: number, name: string, content: string | Buffer): Promise<string> {
  const path = join(tmpdir(), name);
  await writeFile(path, content);
  await customer.open(`/databases/${id}`);
  await customer.page.locator('[name=dump]').setInputFiles(path);
  await customer.page.getByRole('button', { name: 'Import a file' }).click();
  const said = customer.page.locator('#notice, .notice-bad, [role=alert]').first();
  await said.waitFor();
  return (await said.textContent()) ?? '';
}

const ask = async (database: string, sql: string) =>
  (await server.box.require(['mariadb', '-N', '-B', database, '-e', sql])).trim();

const SQL = `
create table goods (id int primary key, name varchar(50) character set utf8mb4, picture blob);
insert into goods values (1, 'Müsli 🥣', x'00ff10'), (2, 'a;b -- c', null);
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER shout BEFORE INSERT ON goods FOR EACH ROW SET NEW.name = UPPER(NEW.name) */;
CREATE ALGORITHM=UNDEFINED DEFINER=\`root\`@\`localhost\` SQL SECURITY DEFINER VIEW names AS select name from goods;
`;

it('imports SQL, with triggers and views of another user', async () => {
  expect(await importFile(shop.id, 'shop.sql', SQL)).toContain('was imported into');
  expect(await ask(shop.db_name, 'select count(*), min(name) from names')).toMatch(/^2\s/);
  await ask(shop.db_name, "insert into goods values (3, 'loud', null)");
  expect(await ask(shop.db_name, 'select name from goods where id = 3')).toBe('LOUD');
  expect(
    await ask(shop.db_name, 'select definer from information_schema.views where table_name = "names"'),
  ).toContain(shop.db_name);
});

it('exports everything, and the export can be imported elsewhere', async () => {
  await customer.open(`/databases/${shop.id}`);
  const [download] = await Promise.all([
    customer.page.waitForEvent('download'),
    customer.page.getByRole('link', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(
    new RegExp(`^${shop.db_name}-\\d{4}-\\d\\d-\\d\\d\\.sql\\.gz$`),
  );
  const file = await readFile(await download.path());
  const sql = gunzipSync(file).toString('utf8');
  expect(sql).toContain('TRIGGER');
  expect(sql).toContain('Dump completed');
  expect(await importFile(copy.id, 'copy.sql.gz', file)).toContain('was imported into');
  const checksum = (database: string) =>
    ask(database, 'checksum table goods').then((line) => line.split(/\s/)[1]);
  expect(await checksum(copy.db_name)).toBe(await checksum(shop.db_name));
});

it('says what the database server refuses', async () => {
  expect(await importFile(shop.id, 'wrong.sql', 'select 1;\nselect * from nowhere;\n')).toMatch(
    /The import stopped: .*1146.*line 2.*nowhere/,
  );
  expect(await importFile(shop.id, 'other.sql', 'use mysql;\nselect user from user;\n')).toMatch(
    /The import stopped: .*denied/i,
  );
  const half = gzipSync(Buffer.from(SQL.repeat(50)));
  expect(await importFile(shop.id, 'half.sql.gz', half.subarray(0, half.length - 20))).toContain(
    'The import stopped',
  );
});

it('runs no command of the client', async () => {
  await importFile(
    shop.id,
    'command.sql',
    'select 1;\n\\! touch /home/datashop/pwned\nsystem touch /home/datashop/pwned\n',
  );
  expect((await server.box.exec(['test', '-e', `/home/${ACCOUNT}/pwned`])).exitCode).toBe(1);
});

it('leaves no password in arguments, and an audit row each', async () => {
  await waitUntil('the programs to end', async () => {
    const argv = ['systemctl', 'list-units', '--plain', '--no-legend', 'innkeeper-channel-*.service'];
    return (await server.box.require(argv)).trim() === '';
  });
  const { page } = customer;
  await customer.open('/');
  expect(await page.locator('main').textContent()).toMatch(/exported|imported/);
  customer.requireNoFault();
});
