import { createHmac, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { CSRF_FIELD } from '@innkeeper/panel';
import { makeZip, waitUntil } from '@innkeeper/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer } from './customer.ts';

const rig = useControlPlaneRig();
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(rig, { max_apps: 2, max_databases: 2, max_domains: 3 });
});

let serial = 0;
const newDomain = async (): Promise<{ id: number; name: string }> => {
  serial += 1;
  const domain_name = `panel-apps${serial}.example`;
  const { body } = await rig.ask('createDomain', {
    body: { hosting_account_id: customer.accountId, domain_name },
  });
  return { id: body.data.id, name: domain_name };
};
const send = (path: string, fields: Record<string, string> = {}) => customer.visitor.send(path, fields);
const nodeApp = { template_key: 'nodejs', name: 'Shop', start_command: 'npm start', node_version: '22' };

/** Installs an app and returns the path of its page. */
async function install(fields: Record<string, string> = nodeApp): Promise<string> {
  await customer.visitor.open(`/apps/new?template=${fields.template_key}`);
  const { path, text } = await send('/apps', fields);
  if (!/^\/apps\/\d+$/.test(path)) throw new Error(`The install was refused: ${text}`);
  return path;
}
const idOf = (path: string) => Number(path.slice('/apps/'.length));
const show = async (path: string) => (await rig.ask('getApp', { id: idOf(path) })).body.data;
const specOf = (path: string) =>
  rig.node.accounts.get(customer.accountId)?.apps.find(({ app_id }) => app_id === idOf(path));
const untilStatus = (path: string, status: string) =>
  waitUntil(`status ${status}`, async () => (await show(path)).status === status);

const zip = (text = 'hello') => makeZip([{ name: 'index.js', data: text }]);
const upload = (path: string, archive: Buffer, headers: Record<string, string> = {}) =>
  customer.visitor.upload(
    `${path}/deploy-zip`,
    { field: 'archive', name: 'site.zip', content: archive },
    headers,
  );

describe('settings', () => {
  const shop = {
    ...nodeApp,
    variables: 'GREETING=hello\nAPI_TOKEN=first-secret',
    'git[repository]': 'https://git.example.com/me/shop.git',
    'git[branch]': 'main',
  };
  const unchanged = {
    node_version: '22',
    start_command: 'npm start',
    'env[NODE_ENV]': 'production',
    'env[GREETING]': 'hello',
    'env[API_TOKEN]': '',
    'git[repository]': 'https://git.example.com/me/shop.git',
    'git[branch]': 'main',
    'git[deploy_key]': '',
  };
  const envOf = (path: string) =>
    Object.fromEntries(specOf(path)?.env.map(({ name, value }) => [name, value]) ?? []);

  it('the form shows the present settings, and no secret', async () => {
    const path = await install(shop);
    expect((await customer.visitor.open(path)).html).toContain(`href="${path}/settings"`);
    const { html } = await customer.visitor.open(`${path}/settings`);
    expect(html).toContain('<option value="22" selected="">');
    expect(html).toMatch(/value="hello"[^>]*name="env\[GREETING\]"/);
    expect(html).toMatch(/type="password"[^>]*name="env\[API_TOKEN\]"/);
    expect(html).toContain('value="https://git.example.com/me/shop.git"');
    expect(html).not.toContain('first-secret');
  });

  it('changed settings reach the server; an empty secret is kept, a chosen variable is removed', async () => {
    const path = await install(shop);
    await customer.visitor.open(`${path}/settings`);
    const saved = await send(`${path}/settings`, {
      ...unchanged,
      node_version: '24',
      'env[GREETING]': 'ignored, because it is removed',
      'removed[]': 'GREETING',
      variables: 'COLOUR=blue',
    });
    expect([saved.path, saved.text.includes('The settings were saved.')]).toEqual([path, true]);
    expect(specOf(path)).toMatchObject({ node_version: '24' });
    expect(envOf(path)).toEqual({ NODE_ENV: 'production', API_TOKEN: 'first-secret', COLOUR: 'blue' });
    const branch = await customer.visitor
      .open(`${path}/settings`)
      .then(() => send(`${path}/settings`, { ...unchanged, node_version: '24', 'git[branch]': 'trunk' }));
    expect(branch.text).toContain('Deploy from Git to use the new repository or branch.');
    expect((await customer.visitor.open('/')).text).toContain('The settings of app Shop were changed. you');
  });

  it('a refused form has each error at its field, and keeps the input except secrets', async () => {
    const path = await install(shop);
    await customer.visitor.open(`${path}/settings`);
    const refused = await send(`${path}/settings`, {
      ...unchanged,
      start_command: 'npm start | tee',
      'env[API_TOKEN]': 'typed-secret',
      variables: 'A=1',
    });
    expect(refused.status).toBe(422);
    expect(refused.errorAt('start_command')).toContain('no shell reads it');
    expect(refused.html).toContain('value="npm start | tee"');
    expect(refused.html).not.toContain('typed-secret');
    await send(`${path}/settings`, { ...unchanged, variables: 'nonsense' });
    expect(customer.visitor.page.errorAt('variables')).toContain('Line 1 is not a variable');
    await send(`${path}/settings`, { ...unchanged, 'git[repository]': '' });
    expect(customer.visitor.page.errorAt('git-repository-')).toContain('required');
    expect(specOf(path)).toMatchObject({ start_command: 'npm start' });
  });

  it('an app without a program has none, and another customer’s app is not found', async () => {
    const { id } = await newDomain();
    const site = await install({ template_key: 'static', name: 'Site', domain_id: `${id}` });
    expect(customer.visitor.page.html).not.toContain(`${site}/settings`);
    expect((await customer.visitor.open(`${site}/settings`)).text).toContain(
      'This app has no settings that you can change.',
    );
    expect((await send(`${site}/settings`, { start_command: 'npm start' })).status).toBe(422);
    const other = await newCustomer(rig);
    expect((await other.visitor.open(`${site}/settings`)).status).toBe(404);
    await other.visitor.open('/apps');
    expect((await other.visitor.send(`${site}/settings`, unchanged)).status).toBe(404);
  });
});

describe('deploy on push', () => {
  const body = JSON.stringify({ ref: 'refs/heads/trunk', after: 'ab12' });
  const push = (path: string, secret: string, sent = body) =>
    fetch(`${rig.origin}/hooks${path}`, {
      method: 'POST',
      body: sent,
      headers: {
        'Content-Type': 'application/json',
        'X-GitHub-Event': 'push',
        'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    });
  const shownSecret = () =>
    /id="push-secret"[^>]*value="([\w-]{43})"/.exec(customer.visitor.page.html)?.[1] ?? '';
  const shop = {
    ...nodeApp,
    'git[repository]': 'https://git.example.com/me/shop.git',
    'git[branch]': 'trunk',
  };

  it('the secret is shown once, and a signed push deploys, at most six times a minute', async () => {
    const path = await install(shop);
    expect((await customer.visitor.open(path)).text).toContain('Deploy on push off');
    await send(`${path}/push-on`);
    const secret = shownSecret();
    expect(secret).not.toBe('');
    const { html, text } = await customer.visitor.open(path);
    expect(html).toContain(`value="https://panel.example.com/hooks${path}"`);
    expect([html.includes(secret), text.includes('Deploy on push on')]).toEqual([false, true]);
    const before = specOf(path)?.release?.release_id ?? 0;
    const answer = await push(path, secret);
    expect([answer.status, await answer.json()]).toEqual([202, { message: 'The deploy has started.' }]);
    await waitUntil('the release', async () => (specOf(path)?.release?.release_id ?? 0) > before);
    const forged = await push(path, secret, body.replace('ab12', 'cd34'));
    expect([forged.status, await forged.json()]).toMatchObject([401, { message: expect.any(String) }]);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await push(path, secret)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    expect((await customer.visitor.open('/')).text).toContain(
      'A push deployed a new release of app Shop. the server',
    );
  });

  it('a new secret replaces the former one, and the hook can be turned off', async () => {
    const path = await install(shop);
    await send(`${path}/push-on`);
    const former = shownSecret();
    await send(`${path}/push-on`);
    const secret = shownSecret();
    expect(secret).not.toBe(former);
    expect([(await push(path, former)).status, (await push(path, secret)).status]).toEqual([401, 202]);
    expect((await send(`${path}/push-off`)).text).toContain('Deploy on push is off.');
    expect((await push(path, secret)).status).toBe(401);
  });

  it('an app without a repository has none, and neither has another customer’s', async () => {
    const path = await install();
    expect(customer.visitor.page.html).not.toContain('push-on');
    expect((await send(`${path}/push-on`)).status).toBe(422);
    const other = await newCustomer(rig);
    await other.visitor.open('/apps');
    for (const action of ['push-on', 'push-off'])
      expect((await other.visitor.send(`${path}/${action}`)).status).toBe(404);
  });
});

describe('installing', () => {
  it('the page shows the templates; one that needs a free domain says where to add it', async () => {
    expect((await customer.visitor.open('/apps')).text).toContain('There is no app yet.');
    const templates = await customer.visitor.open('/apps/new');
    for (const name of ['WordPress', 'Node.js', 'PHP', 'Static site']) expect(templates.text).toContain(name);
    const php = await customer.visitor.open('/apps/new?template=php');
    expect(php.text).toContain('PHP needs a domain without another app. You have no such domain.');
    expect(php.html).toContain('href="/sites/new"');
    expect(php.html).not.toContain('action="/apps"');
  });

  it('the form has the template’s variables with defaults and hints, and secrets as passwords', async () => {
    const { id, name } = await newDomain();
    const { html } = await customer.visitor.open('/apps/new?template=wordpress');
    expect(html).toContain(`<option value="${id}">${name}</option>`);
    expect(html).toMatch(/<input type="text" value="admin"[^>]*name="env\[WORDPRESS_ADMIN_USER\]"/);
    expect(html).toMatch(/<input type="password"[^>]*name="env\[WORDPRESS_ADMIN_PASSWORD\]"/);
    expect(html).toContain('The name of the first WordPress user.');
    const path = await install({
      template_key: 'wordpress',
      name: 'Blog',
      domain_id: `${id}`,
      'env[WORDPRESS_TITLE]': 'My blog',
      'env[WORDPRESS_ADMIN_USER]': 'admin',
      'env[WORDPRESS_ADMIN_PASSWORD]': 'open-sesame-9',
    });
    const { text } = customer.visitor.page;
    // Its server reports it running at once: what was under way is over.
    expect(text).not.toContain('is being installed');
    expect(text).toContain(name);
    expect(text).toMatch(/WORDPRESS_ADMIN_PASSWORD hidden \(secret\)/);
    expect(text).not.toContain('open-sesame-9');
    expect(text).not.toContain('program to start or stop');
    expect(text).toContain('It also deletes the database of the app with all its data.');
    expect(specOf(path)?.env).toContainEqual({
      name: 'WORDPRESS_ADMIN_PASSWORD',
      value: 'open-sesame-9',
      is_secret: true,
    });
    expect((await customer.visitor.open('/apps/new?template=wordpress')).html, 'taken').not.toContain(name);
  });

  it('a program gets the version, command, variables and repository of the form', async () => {
    const { html } = await customer.visitor.open('/apps/new?template=nodejs');
    expect(html).toContain('value="npm start"');
    expect(html).toContain('<option value="22">Node.js 22</option>');
    const path = await install({
      ...nodeApp,
      'env[NODE_ENV]': 'staging',
      variables: 'GREETING = hello world \r\n\r\nAPI_TOKEN=a=b',
      'git[repository]': 'https://git.example.com/me/shop.git',
      'git[branch]': 'trunk',
      'git[deploy_key]': '',
    });
    expect(specOf(path)).toMatchObject({
      node_version: '22',
      start_command: 'npm start',
      env: [
        { name: 'NODE_ENV', value: 'staging', is_secret: false },
        { name: 'GREETING', value: 'hello world', is_secret: false },
        { name: 'API_TOKEN', value: 'a=b', is_secret: true },
      ],
      release: { source: 'git', git_repository: 'https://git.example.com/me/shop.git', git_branch: 'trunk' },
    });
    const { text } = customer.visitor.page;
    expect(text).toContain('Repository https://git.example.com/me/shop.git');
    expect(text).toContain('GREETING hello world');
  });

  it('the form offers only versions that the server has', async () => {
    const set = (node_versions: string | null) =>
      rig.db.updateTable('nodes').set({ node_versions }).execute();
    await set('["18","20"]');
    try {
      const { html } = await customer.visitor.open('/apps/new?template=nodejs');
      expect([...html.matchAll(/<option value="(\d+)">Node/g)].map(([, version]) => version)).toEqual([
        '20',
        '18',
      ]);
    } finally {
      await set('["18","20","22","24"]');
    }
  });

  it('a refused form has each error at its field, and keeps the input except the key', async () => {
    await customer.visitor.open('/apps/new?template=nodejs');
    const errorAt = (field: string) => customer.visitor.page.errorAt(field);
    const refused = await send('/apps', {
      ...nodeApp,
      name: '',
      start_command: 'npm start | tee',
      'env[NODE_ENV]': 'a\u0007b',
    });
    expect(refused.status).toBe(422);
    expect(errorAt('name')).toBe('Name is required.');
    expect(errorAt('env-NODE_ENV-')).toBe('NODE_ENV has a wrong format.');
    expect(refused.html).toContain('value="npm start | tee"');
    await send('/apps', { ...nodeApp, 'env[NODE_ENV]': 'a\nb' });
    expect(errorAt('env-NODE_ENV-')).toBe('NODE_ENV must be one line.');
    await send('/apps', { ...nodeApp, start_command: 'npm start | tee', variables: 'GREETING=x' });
    expect(errorAt('start_command')).toContain('no shell reads it');
    await send('/apps', { ...nodeApp, variables: 'A=1\nnonsense' });
    expect(errorAt('variables')).toContain('Line 2 is not a variable');
    await send('/apps', { ...nodeApp, variables: 'A-B=1' });
    expect(errorAt('variables')).toContain('must only have names of letters');
    const keyed = await send('/apps', {
      ...nodeApp,
      'git[repository]': 'git@localhost:me/shop.git',
      'git[branch]': 'main',
      'git[deploy_key]': 'not a key',
    });
    expect(errorAt('git-deploy_key-')).toContain('must be a private key');
    expect(keyed.html).not.toContain('not a key');
    expect(keyed.html).toContain('value="git@localhost:me/shop.git"');
    expect(
      (await rig.ask('listApps', { query: `hosting_account_id=${customer.accountId}` })).body.data,
    ).toEqual([]);
  });

  it('the page says that the limit is reached, and the form is refused', async () => {
    await install();
    await install();
    const list = await customer.visitor.open('/apps');
    expect(list.text).toContain('2 of 2');
    expect(list.html).not.toContain('href="/apps/new"');
    expect((await customer.visitor.open('/apps/new?template=nodejs')).html).not.toContain('action="/apps"');
    const refused = await send('/apps', nodeApp);
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.text).toContain('App limit reached (2).');
  });
});

describe('an archive', () => {
  it('a form without a script deploys an archive, and another one rolls it back', async () => {
    const path = await install();
    const first = await upload(path, zip('one'));
    expect(first).toMatchObject({ status: 200, path });
    // The server has deployed it already.
    expect(first.html).not.toContain('id="notice"');
    expect(first.text).not.toContain('All files of the archive are in');
    await untilStatus(path, 'running');
    const served = (await show(path)).release.id;
    expect(rig.node.archives.get(served)?.equals(zip('one'))).toBe(true);
    expect((await upload(path, makeZip([{ name: 'shop/index.js', data: 'two' }]))).text).toContain(
      'All files of the archive are in its folder shop, so they are not at the top level.',
    );
    await untilStatus(path, 'running');
    const { html } = await customer.visitor.open(path);
    expect(html).toContain(`aria-label="Roll back to release ${served}"`);
    expect(html).toContain(`#${served}`);
    expect(html).toMatch(/data-label="Took">(?:<div>)?\d+ s</);
    const back = await send(`${path}/roll-back`, { release_id: `${served}` });
    expect(back).toMatchObject({ status: 200, path });
    await untilStatus(path, 'running');
    expect((await show(path)).release.id).toBe(served);
    const again = await send(`${path}/roll-back`, { release_id: `${served}` });
    expect(again).toMatchObject({ status: 422 });
    expect(again.text).toContain('is already the release of app');
    expect((await send(`${path}/roll-back`)).text).toContain('Choose the release to roll back to.');
  });

  it('an upload by a script leads to the app’s page, or returns the form with its error', async () => {
    const path = await install();
    const script = { 'X-Panel-Script': 'true' };
    expect(await upload(path, zip(), script)).toMatchObject({ status: 204 });
    expect(customer.visitor.page.headers.get('X-Panel-Location')).toBe(path);
    await customer.visitor.open(path);
    const refused = await upload(path, Buffer.from('no archive'), script);
    expect(refused.status).toBe(422);
    expect(refused.errorAt('archive')).toContain('The archive must be a ZIP archive');
  });

  it('an upload is refused without the page’s token, for an app of others, and for a template without archives', async () => {
    const path = await install();
    const { visitor } = customer;
    const sessions = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    /** Announces a large archive and sends none of it: a refusal must not wait for the archive. */
    const announce = (to: string) =>
      new Promise<number>((resolve, reject) => {
        const asked = request(`${rig.origin}${to}`, {
          method: 'POST',
          headers: {
            Cookie: sessions,
            'Content-Type': 'multipart/form-data; boundary=cut',
            'Content-Length': 1_000_000,
          },
        });
        asked.on('response', ({ statusCode = 0 }) => {
          resolve(statusCode);
          asked.destroy();
        });
        asked.on('error', reject);
        asked.flushHeaders();
      });
    const token = `${CSRF_FIELD}=${visitor.csrfToken()}`;
    expect(await announce(`${path}/deploy-zip`)).toBe(403);
    expect(await announce(`${path}/deploy-zip?${CSRF_FIELD}=${'0'.repeat(64)}`)).toBe(403);
    const { id } = await newDomain();
    const blog = await install({ template_key: 'wordpress', name: 'Blog', domain_id: `${id}` });
    expect(await announce(`${blog}/deploy-zip?${token}`)).toBe(422);
    const other = await newCustomer(rig, { max_apps: 1 });
    const theirs = await rig.ask('createApp', {
      body: { hosting_account_id: other.accountId, template_key: 'nodejs', name: 'Theirs' },
    });
    expect(await announce(`/apps/${theirs.body.data.id}/deploy-zip?${token}`)).toBe(404);
  });

  it('a failed deploy shows the end of its log', async () => {
    const path = await install();
    rig.node.behaviour.tell = (report) => ({
      ...report,
      apps: report.apps.map((app) => ({
        ...app,
        status: 'failed' as const,
        reason: 'The build failed. Its log ends with:\nnpm error missing script: build <b>',
      })),
    });
    await upload(path, zip(randomBytes(8).toString('hex')));
    await untilStatus(path, 'failed');
    const { text, html } = await customer.visitor.open(path);
    expect(text).toContain('The build failed. Its log ends with:');
    expect(html).toContain('>npm error missing script: build &lt;b&gt;</pre>');
    expect(text).toContain('upload the archive again');
    rig.node.behaviour.tell = (report) => report;
    const retried = await send(`${path}/retry`);
    expect(retried).toMatchObject({ status: 200, path });
    expect(specOf(path)?.retries).toBe(1);
    await untilStatus(path, 'running');
    expect((await customer.visitor.open(path)).html).not.toContain(`action="${path}/retry"`);
  });
});

it('a form deploys the repository again; an app without one refuses that', async () => {
  const path = await install({ ...nodeApp, 'git[repository]': 'https://git.example.com/me/shop.git' });
  const before = (await show(path)).release.id;
  const { text } = await send(`${path}/deploy-git`);
  expect(text).not.toContain('The server is deploying the newest commit');
  expect((await show(path)).release.id).toBeGreaterThan(before);
  const plain = await install();
  const refused = await send(`${plain}/deploy-git`);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('Git deploy is not configured for this app.');
});

it('a release from Git shows its commit and author, as text', async () => {
  const hash = '0123456789abcdef0123456789abcdef01234567';
  rig.node.behaviour.tell = (report) => ({
    ...report,
    apps: report.apps.map((app) =>
      app.release_id === null
        ? app
        : {
            ...app,
            commit: {
              release_id: app.release_id,
              hash,
              author: '<b>Eve</b>',
              subject: '<script>alert(1)</script>',
            },
          },
    ),
  });
  const path = await install({ ...nodeApp, 'git[repository]': 'https://git.example.com/me/shop.git' });
  await untilStatus(path, 'running');
  rig.node.behaviour.tell = (report) => report;
  const { html, text } = await customer.visitor.open(path);
  expect(text).toContain('<script>alert(1)</script> 0123456 <b>Eve</b>');
  expect(html).not.toContain('<b>Eve');
  expect(html).not.toContain('<script>alert');
  expect(html).toContain(`<code title="${hash}">0123456</code>`);
});

it('a program is stopped and started; the page refreshes itself while it starts', async () => {
  const path = await install();
  await untilStatus(path, 'running');
  const stopped = await send(`${path}/stop`);
  expect(stopped).toMatchObject({ status: 200, path });
  expect(stopped.text).toContain('Visitors see a page that says so.');
  expect(stopped.html).toContain(`action="${path}/start"`);
  expect(stopped.html).not.toContain(`data-live="${path}"`);
  expect(specOf(path)?.desired_state).toBe('stopped');
  rig.node.behaviour.tell = (report) => ({
    ...report,
    apps: report.apps.map((app) => ({ ...app, status: 'starting' as const })),
  });
  const starting = await send(`${path}/start`);
  expect(starting.text).toContain('The program of the app is starting.');
  // The message of the form, which goes with the state that it speaks of.
  expect(starting.html).toMatch(/<div id="notice">.*Starting /s);
  expect(stopped.html).not.toContain('id="notice"');
  expect(starting.html).toContain(`data-live="${path}"`);
  expect(starting.html).toContain(`action="${path}/stop"`);
  expect(specOf(path)?.desired_state).toBe('running');
});

it('a site refuses start and stop', async () => {
  const { id } = await newDomain();
  const path = await install({ template_key: 'static', name: 'Site', domain_id: `${id}` });
  const refused = await send(`${path}/stop`);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('there is nothing to start or stop');
  expect((await customer.visitor.open(`${path}/log`)).status).toBe(422);
});

it('the page shows the server’s log as plain text, and refreshes it', async () => {
  const path = await install();
  await untilStatus(path, 'running');
  rig.node.behaviour.answer = (verb, answer) =>
    verb === 'app-log' ? { lines: ['listens on 80', '<script>alert(1)</script>'] } : answer;
  const { html } = await customer.visitor.open(`${path}/log`);
  expect(html).toContain('listens on 80\n&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toMatch(new RegExp(`data-live="${path}/log"[^>]*data-every="5"`));
  rig.node.behaviour.answer = (verb, answer) => (verb === 'app-log' ? { lines: [] } : answer);
  expect((await customer.visitor.open(`${path}/log`)).text).toContain('No output yet.');
  rig.node.behaviour.answer = () => undefined;
  const silent = await customer.visitor.open(`${path}/log`);
  expect(silent).toMatchObject({ status: 200 });
  expect(silent.text).toContain('does not answer now. Try again in a minute.');
});

it('the page of the newest build shows its output, also for an app without a program', async () => {
  const { id } = await newDomain();
  const path = await install({ template_key: 'static', name: 'Site', domain_id: `${id}` });
  expect(customer.visitor.page.html).toContain(`href="${path}/build-log"`);
  rig.node.behaviour.answer = (verb, answer) =>
    verb === 'build-log' ? { lines: ['$ npm ci', '<b>added</b>'] } : answer;
  const { html } = await customer.visitor.open(`${path}/build-log`);
  expect(html).toContain('$ npm ci\n&lt;b&gt;added&lt;/b&gt;');
  expect(html).toMatch(new RegExp(`data-live="${path}/build-log"[^>]*data-every="5"`));
  const other = await newCustomer(rig);
  expect((await other.visitor.open(`${path}/build-log`)).status).toBe(404);
});

it('an app is removed, and its page is gone', async () => {
  const path = await install();
  const { text } = await send(`${path}/remove`);
  expect(customer.visitor.page.path).toBe('/apps');
  expect(text).toMatch(/The app was removed\.|being removed/);
  await waitUntil(
    'the app to be gone',
    async () => (await rig.ask('getApp', { id: idOf(path) })).status === 404,
  );
  expect((await customer.visitor.open(path)).status).toBe(404);
});

it('another account’s app gets 404 on every page and form', async () => {
  const path = await install();
  const other = await newCustomer(rig);
  await other.visitor.open('/apps');
  for (const act of ['start', 'stop', 'retry', 'roll-back', 'deploy-git', 'remove'])
    expect([act, (await other.visitor.send(`${path}/${act}`, { release_id: '1' })).status]).toEqual([
      act,
      404,
    ]);
  for (const page of [path, `${path}/log`]) expect((await other.visitor.open(page)).status).toBe(404);
  expect((await show(path)).status).not.toBe('removing');
});
