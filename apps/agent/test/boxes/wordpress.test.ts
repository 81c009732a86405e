import type { DatabaseSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { appOf, Deploys } from './deploys.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** A real WordPress, from the files of Debian's package: installed, written to, locked, and removed. */
let server: AgentBox;
let box: Box;
let deploys: Deploys;

const BLOG = 1;
const HOST = 'blog.example.com';
const HOME = '/home/writer';
const FIRST = 'First1'.repeat(4);
const SECOND = 'Second2'.repeat(4);
const app = appOf({
  app_id: BLOG,
  template_key: 'wordpress',
  runtime: 'php',
  installer: 'wordpress',
  domain_id: 1,
  database_id: 1,
  env: [{ name: 'WORDPRESS_TITLE', value: 'It’s <b>Ours</b> \\ "so"', is_secret: false }],
});
const database = (changes: Partial<DatabaseSpec> = {}): DatabaseSpec => ({
  database_id: 1,
  db_name: 'writer_blog',
  password: FIRST,
  password_revision: 1,
  allowed_ips: [],
  desired_state: 'active',
  ...changes,
});
const page = async (path = '/') => await visit(box.address, HOST, path);
/** Runs PHP in the blog, as its account. */
const inBlog = async (code: string) =>
  await asAccount(
    box,
    deploys.spec,
    `cd ${HOME}/domains/${HOST}/public_html; php -r "$(cat)"`,
    `$_SERVER['SERVER_NAME'] = '${HOST}'; require 'wp-load.php'; ${code}`,
  );

beforeAll(async () => {
  server = await startAgentBox('wordpress');
  box = server.box;
  await server.configure({ INNKEEPER_WORDPRESS_SOURCE: '/srv/nothing' });
  deploys = new Deploys(
    server,
    specOf({
      account_id: 1,
      uid: 20_001,
      linux_user: 'writer',
      limits: { ...specOf({}).limits, ram_mb: 1_024, cpu_percent: 200 },
      domains: [domainOf(1, HOST)],
      databases: [database()],
    }),
  );
  expect(await server.settle(deploys.spec)).toMatchObject({ outcome: 'applied' });
});

afterAll(async () => {
  await server?.remove();
});

test('reports a server without WordPress, and serves no partial installation', async () => {
  deploys.want({ apps: [app] });
  const { reason } = await deploys.settled(BLOG, 'failed');
  expect(reason).toContain('The server has no WordPress where its configuration says.');
  expect((await page('/wp-admin/install.php')).status).not.toBe(200);
  deploys.want({ apps: [{ ...app, desired_state: 'absent' }] });
  await deploys.settled(BLOG, 'absent');
  await server.configure({ INNKEEPER_WORDPRESS_SOURCE: '/usr/share/wordpress' });
});

test('the blog is installed although the agent is killed during the installation, and shows no installation page', async () => {
  deploys.want({ apps: [app] });
  const unit = 'innkeeper-task-20001-1.service';
  await waitUntil(
    'the installation',
    async () => (await box.exec(['systemctl', 'is-active', '--quiet', unit])).exitCode === 0,
  );
  await box.exec(['systemctl', 'kill', '--signal=KILL', unit]);
  await deploys.settled(BLOG, 'running', 180_000);
  expect(deploys.statusesOf(BLOG)).toEqual(['installing', 'running']);
  const { status, body } = await page();
  expect(status).toBe(200);
  expect(body).toContain('Hello world!');
  expect(body).toContain(`http://${HOST}/wp-includes/`);
  expect((await page('/wp-admin/install.php')).body).toContain('already installed');
  expect(await inBlog("echo get_option('blogname');")).toContain('Ours');
  expect(await box.require(['journalctl', '--no-pager'])).not.toContain(FIRST);
});

test('the administrator signs in with the password in the app’s folder', async () => {
  const note = await asAccount(box, deploys.spec, `cat ${HOME}/apps/1/wordpress-login.txt`);
  const [, password] = /^Password: (\S+)$/m.exec(note) ?? [];
  expect(password).toMatch(/^[\w-]{24}$/);
  const said = await inBlog(
    `echo wp_check_password('${password}', get_user_by('login', 'admin')->user_pass);`,
  );
  expect(said.trim()).toBe('1');
});

test('a new post is shown', async () => {
  await inBlog("wp_insert_post(['post_title' => 'News of today', 'post_status' => 'publish']);");
  expect((await page()).body).toContain('News of today');
});

test('no other account can read the secrets of WordPress', async () => {
  const files = ['releases/0/wp-config.php', 'database.json', 'wordpress-login.txt'];
  for (const name of files) {
    const path = `${HOME}/apps/1/${name}`;
    expect((await box.require(['stat', '-c', '%a %u', path])).trim()).toBe('600 20001');
    const asOther = ['setpriv', '--reuid', '20002', '--regid', '20002', '--clear-groups', 'cat', path];
    expect((await box.exec(asOther)).exitCode).not.toBe(0);
  }
  for (const path of ['/database.json', '/../database.json', '/wp-config.php', '/wordpress-login.txt'])
    expect((await page(path)).body).not.toContain(FIRST);
});

test('WordPress gets a new database password, and the owner’s changes of wp-config.php stay', async () => {
  await asAccount(
    box,
    deploys.spec,
    `echo "define('MINE', 1);" > /tmp/x; cd ${HOME}/apps/1/releases/0; sed -i '2r /tmp/x' wp-config.php`,
  );
  deploys.want({ databases: [database({ password: SECOND, password_revision: 2 })] });
  await deploys.settled(BLOG, 'running');
  await waitUntil('the blog', async () => (await page()).body.includes('News of today'));
  expect(await inBlog('echo MINE, DB_PASSWORD;')).toBe(`1${SECOND}`);
});

test('repairs changed settings', async () => {
  await asAccount(box, deploys.spec, `echo '{}' > ${HOME}/apps/1/database.json`);
  expect((await page()).status).toBe(500);
  deploys.want({});
  await waitUntil('the blog', async () => (await page()).body.includes('News of today'));
});

test('WordPress is unchanged after a suspension', async () => {
  deploys.want({ desired_state: 'suspended' });
  await deploys.settled(BLOG, 'stopped');
  expect((await page()).status).toBe(503);
  deploys.want({ desired_state: 'active' });
  await deploys.settled(BLOG, 'running');
  await waitUntil('the blog', async () => (await page()).body.includes('News of today'));
});

test('WordPress and its account are removed without a trace', async () => {
  deploys.want({
    apps: [{ ...app, desired_state: 'absent' }],
    databases: [database({ password: SECOND, password_revision: 2, desired_state: 'absent' })],
  });
  await deploys.settled(BLOG, 'absent');
  expect((await box.exec(['ls', `${HOME}/apps/1`])).exitCode).not.toBe(0);
  expect(await box.require(['mariadb', '-Ne', "show databases like 'writer%'"])).toBe('');
  expect((await page()).body).not.toContain('News of today');
  deploys.want({ desired_state: 'absent' });
  await waitUntil(
    'the account to be gone',
    async () => (await findRemains(box, deploys.spec, [HOST])).length === 0,
  );
});
