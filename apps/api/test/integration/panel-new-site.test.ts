import { waitUntil } from '@innkeeper/testkit';
import { expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { newCustomer } from './customer.ts';

/** A site and the app on it, created with one form. `panel-sites.test.ts` has the names of domains. */
const rig = useControlPlaneRig();
let serial = 0;
const freshName = () => `new-site${++serial}.example.com`;
const appsOf = (accountId: number) => rig.node.accounts.get(accountId)?.apps ?? [];

it('the form has a tile for each template, and the fields of each', async () => {
  const { visitor } = await newCustomer(rig);
  const { text, html } = await visitor.open('/sites/new');
  for (const said of ['Empty PHP site', 'WordPress', 'Node.js', 'Static site', '192.0.2.10'])
    expect(text).toContain(said);
  expect(html).toMatch(/type="radio" name="app" value="" checked=""/);
  expect(html).toContain('name="wordpress:env[WORDPRESS_TITLE]"');
  expect(html).toContain('name="nodejs:start_command"');
});

it('one form creates the domain and the app on it', async () => {
  const { visitor, accountId } = await newCustomer(rig);
  await visitor.open('/sites/new');
  const name = freshName();
  const added = await visitor.send('/sites', {
    domain_name: `http://${name}/`,
    app: 'wordpress',
    'wordpress:env[WORDPRESS_TITLE]': 'Dried flowers',
    'nodejs:start_command': 'ignored | as another tile is chosen',
  });
  expect(added).toMatchObject({ status: 200, path: expect.stringMatching(/^\/sites\/\d+$/) });
  expect(added.text).toContain(`${name} was created.`);
  const [app] = appsOf(accountId);
  expect(app).toMatchObject({ domain_id: Number(added.path.split('/').at(-1)) });
  expect(app?.env).toContainEqual({ name: 'WORDPRESS_TITLE', value: 'Dried flowers', is_secret: false });
  await waitUntil('a running app', async () =>
    (await visitor.open(added.path)).text.includes('Status running'),
  );
  expect(visitor.page.html).toContain(`href="/apps/${app?.app_id}"`);
  expect((await visitor.open('/sites')).text).toContain(`${name} primary WordPress`);
});

it('nothing is created while a field of the app is wrong', async () => {
  const { visitor, accountId } = await newCustomer(rig);
  await visitor.open('/sites/new');
  const name = freshName();
  const refused = await visitor.send('/sites', {
    domain_name: name,
    app: 'nodejs',
    'nodejs:start_command': 'x'.repeat(1_001),
    'nodejs:variables': 'nonsense',
    'nodejs:git[deploy_key]': 'a pasted key',
  });
  expect(refused).toMatchObject({ status: 422, path: '/sites' });
  expect(refused.errorAt('nodejs-variables')).toContain('Line 1 is not a variable');
  expect(refused.html).toContain(`value="${name}"`);
  expect(refused.html).toMatch(/value="nodejs" checked=""/);
  expect(refused.html).not.toContain('a pasted key');
  expect(rig.node.accounts.get(accountId)?.domains ?? []).toEqual([]);
  const unknown = await visitor.send('/sites', { domain_name: name, app: 'gopher' });
  expect([unknown.status, unknown.text.includes('Choose one of the tiles.')]).toEqual([422, true]);
});

it('a refused app leaves the site, says so, and the page continues with the app', async () => {
  const { visitor, accountId } = await newCustomer(rig);
  await visitor.open('/sites/new');
  const name = freshName();
  const refused = await visitor.send('/sites', {
    domain_name: name,
    app: 'nodejs',
    'nodejs:node_version': '22',
    'nodejs:start_command': 'npm start | tee log',
  });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(`${name} exists, but Node.js is not installed.`);
  expect(refused.errorAt('start_command')).toContain('no shell reads it');
  const [, id = ''] = new RegExp(`<option value="(\\d+)" selected="">${name}<`).exec(refused.html) ?? [];
  expect(refused.html).toContain(`href="/sites/${id}"`);
  expect(appsOf(accountId)).toEqual([]);
  const installed = await visitor.send('/apps', {
    template_key: 'nodejs',
    name: 'Shop',
    domain_id: id,
    node_version: '22',
    start_command: 'npm start',
  });
  expect(installed.path).toMatch(/^\/apps\/\d+$/);
  expect(appsOf(accountId)).toMatchObject([{ domain_id: Number(id) }]);
});

it('the tiles of apps are off when no app is left in the account', async () => {
  const { visitor } = await newCustomer(rig, { max_apps: 0 });
  const { html, text } = await visitor.open('/sites/new');
  expect(text).toContain('The package of this account includes no apps.');
  expect(html).toMatch(/value="wordpress" disabled=""/);
  expect(html).not.toMatch(/value="" checked="" disabled/);
});

it('wrong fields of the domain and of the app are shown at once, with links to them', async () => {
  const { visitor } = await newCustomer(rig);
  await visitor.open('/sites/new');
  const refused = await visitor.send('/sites', {
    domain_name: 'shop',
    app: 'nodejs',
    'nodejs:start_command': 'x'.repeat(1_001),
  });
  expect(refused).toMatchObject({ status: 422, path: '/sites' });
  for (const field of ['domain_name', 'nodejs-start_command']) {
    expect(refused.html).toContain(`href="#field-${field}"`);
    expect(refused.html).toContain(`id="field-${field}"`);
  }
});
