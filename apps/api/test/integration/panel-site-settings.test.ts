import { plainPhp } from '@innkeeper/protocol';
import { describe, expect, it } from 'vitest';
import { STAFF_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let serial = 0;

interface WithDomain extends Customer {
  id: number;
  name: string;
  path: string;
}

/** A customer on the page of a new domain. */
async function withDomain(): Promise<WithDomain> {
  const customer = await newCustomer(rig);
  await customer.visitor.open('/sites');
  const name = `settings${++serial}.example.com`;
  const { path } = await customer.visitor.send('/sites', { domain_name: name });
  return { ...customer, name, path, id: Number(path.split('/').at(-1)) };
}

const onNode = ({ accountId, id }: WithDomain) =>
  rig.node.accounts.get(accountId)?.domains.find(({ domain_id }) => domain_id === id);

describe('the settings of a site', () => {
  it('the redirect to HTTPS is on, and can be switched off and on', async () => {
    const customer = await withDomain();
    const { visitor, path } = customer;
    const isOn = () => /name="https_redirect"[^>]* checked/.test(visitor.page.html);
    expect(isOn()).toBe(true);
    expect(await visitor.send(`${path}/https`, {})).toMatchObject({ status: 200, path });
    expect([isOn(), onNode(customer)?.site.keeps_http]).toEqual([false, true]);
    await visitor.send(`${path}/https`, { https_redirect: '1' });
    expect([isOn(), onNode(customer)?.site.keeps_http]).toEqual([true, false]);
  });

  it('a redirect is shown and removed', async () => {
    const customer = await withDomain();
    const { visitor, path } = customer;
    const fields = { redirect_url: 'https://example.org', redirect_status: '302', redirect_keeps_path: '1' };
    const saved = await visitor.send(`${path}/redirect`, fields);
    expect(saved.text).toContain('All visitors are redirected to https://example.org/');
    expect(onNode(customer)?.site.redirect).toEqual({
      url: 'https://example.org/',
      status: 302,
      keeps_path: true,
    });
    const removed = await visitor.send(`${path}/redirect/remove`);
    expect(removed.text).toContain('The redirect was removed.');
    expect(onNode(customer)?.site.redirect).toBeNull();
  });

  it('a document root and a password are saved, and the password is never shown', async () => {
    const customer = await withDomain();
    const { visitor, path, username } = customer;
    const saved = await visitor.send(`${path}/document-root`, { document_root: '/web/public/' });
    expect(saved.text).toContain(`/home/${username}/web/public`);
    const fields = { password_folder: '/admin/', password_user: 'guest', password: 'sesame open' };
    const locked = await visitor.send(`${path}/password`, fields);
    expect(locked.text).toContain('The folder /admin/ asks for the password of guest.');
    expect(locked.html).not.toContain('sesame');
    expect(onNode(customer)?.site).toMatchObject({
      document_root: 'web/public',
      password: { folder: 'admin', user: 'guest' },
    });
    await visitor.send(`${path}/password/remove`);
    expect(onNode(customer)?.site.password).toBeNull();
  });

  it.each([
    [
      'redirect',
      { redirect_url: 'example.org', redirect_status: '301' },
      'redirect_url',
      /must be a URL that begins/,
    ],
    ['redirect', { redirect_url: '', redirect_status: '301' }, 'redirect_url', /is required/],
    [
      'redirect',
      { redirect_url: 'https://example.org', redirect_status: '307' },
      'redirect_status',
      /is not available/,
    ],
    ['document-root', { document_root: '../x' }, 'document_root', /must be a folder: .* begin with a dot/],
    ['document-root', { document_root: 'a/../../b' }, 'document_root', /must be a folder/],
    ['password', { password_user: 'a:b', password: 'long enough' }, 'password_user', /must be letters/],
    ['password', { password_user: 'me', password: 'short' }, 'password', /at least 8 characters/],
    [
      'password',
      { password_folder: '../', password_user: 'me', password: 'long enough' },
      'password_folder',
      /folder/,
    ],
    ['aliases', { domain_name: 'co.uk' }, 'domain_name', /public suffix/],
    ['php', { memory_limit_mb: '1e9' }, 'memory_limit_mb', /must be an integer/],
    ['php', { memory_limit_mb: '31' }, 'memory_limit_mb', /at least 32/],
    ['php', { upload_mb: '257' }, 'upload_mb', /must be at most 256 MB/],
    ['php', { input_vars: '300\nextension=x' }, 'input_vars', /must be an integer/],
    ['php', { time_zone: 'UTC"\nextension=x' }, 'time_zone', /is not available/],
    ['php', { time_zone: '../../etc/passwd' }, 'time_zone', /is not available/],
  ])('%s with %j has its error at its field', async (form, fields, field, sentence) => {
    const customer = await withDomain();
    const before = onNode(customer);
    const refused = await customer.visitor.send(`${customer.path}/${form}`, fields);
    expect(refused.status).toBe(422);
    expect(refused.errorAt(field)).toMatch(sentence);
    expect(onNode(customer)).toEqual(before);
  });

  it('an alias is added on the page of its site, and its page leads there', async () => {
    const customer = await withDomain();
    const { visitor, path, name } = customer;
    const added = await visitor.send(`${path}/aliases`, { domain_name: `other-${name}` });
    expect(added.text).toContain(`It shows the site of ${name}.`);
    expect(added.html).toContain(`href="${path}"`);
    expect(added.html).not.toContain('name="redirect_url"');
    expect((await visitor.open(path)).html).toContain(`href="${added.path}">other-${name}`);
  });

  it('the PHP settings of a site are saved, shown with their defaults, and its cache is emptied', async () => {
    const customer = await withDomain();
    const { visitor, path } = customer;
    expect(visitor.page.html).toMatch(/name="input_vars"[^>]*placeholder="1000"/);
    const fields = { input_vars: '5000', execution_s: '', time_zone: 'Europe/Berlin', display_errors: '1' };
    const saved = await visitor.send(`${path}/php`, fields);
    expect(saved.text).toContain('The PHP settings were saved.');
    expect(saved.html).toMatch(/name="input_vars"[^>]*value="5000"|value="5000"[^>]*name="input_vars"/);
    expect(onNode(customer)?.site.php).toEqual({
      ...plainPhp,
      input_vars: 5_000,
      time_zone: 'Europe/Berlin',
      display_errors: true,
    });
    const emptied = await visitor.send(`${path}/php-cache`);
    expect(emptied.text).toContain('PHP starts again with an empty cache.');
    expect(onNode(customer)?.site.php).toMatchObject({ input_vars: 5_000, cache_revision: 1 });
  });

  it('the limits of PHP settings are an admin’s, and a refusal beyond them is at its field', async () => {
    const customer = await withDomain();
    const admin = new PageVisitor(rig.origin);
    await admin.signIn('root-admin', STAFF_PASSWORD);
    await admin.open('/php');
    const limits = { memory_limit_mb: '128', upload_mb: '10', execution_s: '60', input_vars: '2000' };
    const wrong = await admin.send('/php', { ...limits, upload_mb: '1000' });
    expect(wrong.errorAt('upload_mb')).toMatch(/must be at most 256 MB/);
    expect((await admin.send('/php', limits)).text).toContain('The limits were saved.');
    const { visitor, path } = customer;
    expect((await visitor.open(path)).html).not.toContain('name="display_errors"');
    const refused = await visitor.send(`${path}/php`, { upload_mb: '11' });
    expect(refused.errorAt('upload_mb')).toMatch(/at most 10 MB: your provider allows no more/);
    expect((await visitor.open('/php')).status).toBe(404);
    await rig.db.deleteFrom('php_limits').execute();
  });

  it('of another customer’s domain are not found', async () => {
    const { path } = await withDomain();
    const { visitor } = await withDomain();
    for (const form of ['https', 'redirect/remove', 'password/remove', 'php', 'php-cache'])
      expect((await visitor.send(`${path}/${form}`)).status).toBe(404);
    const fields = { domain_name: `thief${serial}.example.com` };
    expect((await visitor.send(`${path}/aliases`, fields)).status).toBe(404);
  });
});
