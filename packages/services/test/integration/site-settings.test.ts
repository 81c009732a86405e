import {
  changeSite,
  createApp,
  createDomain,
  getDomain,
  getInstallChoices,
  getPhpLimits,
  getSite,
  getSitePhp,
  listAudit,
  removeDomain,
  type SiteChange,
  setPhpLimits,
  terminateAccount,
} from '@innkeeper/services';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, rowOf, specOf } from './fixtures.ts';
import { fresh, withRealHashes } from './records.ts';
import { expectRefusal, failedPrecondition, invalid } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newAccount } = rig;
let accountId: number;
let domain_id: number;
let name: string;
let home: string;

beforeEach(async () => {
  await rig.db.deleteFrom('php_limits').execute();
  accountId = await newAccount();
  name = `${fresh('site')}.example`;
  domain_id = (await createDomain(admin(), { hosting_account_id: accountId, domain_name: name })).view.id;
  home = `/home/${(await rowOf(rig.db, accountId)).linux_user}`;
});

const change = (wanted: SiteChange, id = domain_id) => changeSite(admin(), { domain_id: id, ...wanted });
const addAlias = (domain_name: string, alias_of = domain_id) =>
  createDomain(admin(), { hosting_account_id: accountId, domain_name, alias_of });
const siteInSpec = async (id = domain_id) =>
  (await specOf(rig.db, accountId)).domains.find((domain) => domain.domain_id === id);
const redirectTo = (redirect_url: string, redirect_keeps_path = false): SiteChange => ({
  redirect: { redirect_url, redirect_status: '302', redirect_keeps_path },
});
const password = { password_folder: 'admin', password_user: 'me', password: 'long enough' };

describe('a setting of a site', () => {
  test('is in the next generation’s spec and in the view, wakes the node, and is audited without the password', async () => {
    expect(await getSite(admin(), { domain_id })).toEqual({
      domain_id,
      https_redirect: true,
      redirect: null,
      document_root: null,
      password: null,
      alias_of: null,
      aliases: [],
    });
    const ctx = withRealHashes(admin());
    const { generation } = await changeSite(ctx, {
      domain_id,
      https_redirect: false,
      ...redirectTo('https://example.org/a', true),
      document_root: 'web/public',
      password,
    });
    const spec = await specOf(rig.db, accountId);
    expect(spec.generation).toBe(generation);
    expect(await siteInSpec()).toMatchObject({
      alias_of: null,
      site: {
        keeps_http: true,
        redirect: { url: 'https://example.org/a', status: 302, keeps_path: true },
        document_root: 'web/public',
        password: { folder: 'admin', user: 'me', hash: expect.stringMatching(/^\$6\$rounds=1000\$/) },
      },
    });
    expect(await getSite(admin(), { domain_id })).toMatchObject({
      https_redirect: false,
      redirect: { url: 'https://example.org/a', status: 302, keeps_path: true },
      document_root: 'web/public',
      password: { folder: 'admin', user: 'me' },
    });
    expect((await getDomain(admin(), { domain_id })).document_root).toBe(`${home}/web/public`);
    const [row] = (await listAudit(admin(), { account_id: accountId, limit: 1 })).items;
    expect(row).toMatchObject({
      action: 'domain.settings',
      details: { before: { https_redirect: true, password_user: null }, after: { password_user: 'me' } },
    });
    expect(JSON.stringify(row)).not.toMatch(/\$6\$|long enough/);
  });

  test('that is removed leaves the same spec as a site without settings', async () => {
    const before = await siteInSpec();
    await change({ ...redirectTo('https://example.org/'), document_root: 'web', password });
    await change({ redirect: null, document_root: `domains/${name}/public_html`, password: null });
    expect(await siteInSpec()).toEqual(before);
  });

  test('that is the same makes no new generation; a password is always new', async () => {
    const { generation } = await change({ https_redirect: false });
    expect((await change({ https_redirect: false })).generation).toBe(generation);
    await change({ password });
    const first = (await siteInSpec())?.site.password?.hash;
    await change({ password });
    expect((await siteInSpec())?.site.password?.hash).not.toBe(first);
  });

  test('is refused for a domain that is being removed, a terminating account and another reseller', async () => {
    const stranger = await addReseller(rig.db);
    await expectRefusal(changeSite(stranger, { domain_id, https_redirect: false }), 'not_found');
    await expectRefusal(getSite(stranger, { domain_id }), 'not_found');
    await removeDomain(admin(), { domain_id });
    const removed = failedPrecondition('This domain is being removed.');
    await expectRefusal(change({ https_redirect: false }), removed);
    await terminateAccount(admin(), { account_id: accountId });
    const terminated = failedPrecondition('This account is being terminated.');
    await expectRefusal(change({ https_redirect: false }), terminated);
  });

  test('that redirects a site to one of its own names is refused at its field', async () => {
    const alias = `alias-${name}`;
    await addAlias(alias);
    for (const host of [name, `www.${name}`, alias, `www.${alias}`])
      await expectRefusal(
        change(redirectTo(`https://${host}/x`)),
        invalid({
          redirect_url: `The redirect url field must lead to another site: ${host} is a name of this one.`,
        }),
      );
    const sub = `www.${name}`;
    await createDomain(admin(), { hosting_account_id: accountId, domain_name: sub });
    await change(redirectTo(`https://${sub}/`));
    await expectRefusal(
      change(redirectTo('https://example.org/?a=b', true)),
      invalid({
        redirect_keeps_path:
          'The path cannot be kept: the redirect url has a query, which would stand before the path.',
      }),
    );
  });
});

describe('the PHP settings of a site', () => {
  const php = { memory_limit_mb: 128, upload_mb: 20, display_errors: true, time_zone: 'Europe/Berlin' };

  test('are in the spec and in the view, are audited, and go back to the defaults', async () => {
    const before = await siteInSpec();
    await change({ php });
    expect((await siteInSpec())?.site.php).toEqual({
      memory_limit_mb: 128,
      upload_mb: 20,
      execution_s: null,
      input_vars: null,
      display_errors: true,
      time_zone: 'Europe/Berlin',
      cache_revision: 0,
    });
    const [row] = (await listAudit(admin(), { account_id: accountId, limit: 1 })).items;
    expect(row?.details).toMatchObject({
      before: { php_memory_limit_mb: null },
      after: { php_memory_limit_mb: 128 },
    });
    const view = await getSitePhp(admin(), { domain_id });
    expect(view.settings).toMatchObject({ ...php, execution_s: null, input_vars: null });
    expect(view.defaults).toMatchObject({ memory_limit_mb: 256, execution_s: 30, input_vars: 1_000 });
    const { generation } = await change({ document_root: 'web' });
    expect((await siteInSpec())?.site.php.memory_limit_mb).toBe(128);
    await change({ document_root: null, php: {} });
    expect((await specOf(rig.db, accountId)).generation).toBeGreaterThan(generation);
    expect(await siteInSpec()).toEqual(before);
  });

  test('are refused at their field beyond the memory of the account and what the operator allows', async () => {
    const { ram_limit_mb } = await rowOf(rig.db, accountId);
    expect((await getSitePhp(admin(), { domain_id })).highest.memory_limit_mb).toBe(ram_limit_mb);
    await expectRefusal(
      change({ php: { memory_limit_mb: ram_limit_mb + 1 } }),
      invalid({
        memory_limit_mb: `The memory limit mb field must not be greater than ${ram_limit_mb}: the account has no more memory.`,
      }),
    );
    const limits = { memory_limit_mb: 100, upload_mb: 10, execution_s: 60, input_vars: 2_000 };
    await setPhpLimits(admin(), limits);
    for (const [field, limit] of Object.entries(limits)) {
      await change({ php: { [field]: limit } });
      await expectRefusal(
        change({ php: { [field]: limit + 1 } }),
        invalid({
          [field]: `The ${field.replaceAll('_', ' ')} field must not be greater than ${limit}: the hosting provider allows no more.`,
        }),
      );
    }
    await expectRefusal(
      change({ php: { display_errors: true } }),
      invalid({ display_errors: 'The hosting provider does not allow that visitors see errors.' }),
    );
    await setPhpLimits(admin(), { ...limits, display_errors: true });
    await change({ php: { display_errors: true } });
  });

  test('have limits that only an admin sets, within what servers can keep', async () => {
    const stranger = await addReseller(rig.db);
    const limits = { memory_limit_mb: 100, upload_mb: 10, execution_s: 60, input_vars: 2_000 };
    await expectRefusal(setPhpLimits(stranger, limits), 'forbidden');
    await expectRefusal(getPhpLimits(stranger), 'forbidden');
    await expectRefusal(
      setPhpLimits(admin(), { ...limits, upload_mb: 257 }),
      invalid({ upload_mb: 'The upload mb field must not be greater than 256.' }),
    );
    await expectRefusal(getSitePhp(stranger, { domain_id }), 'not_found');
  });

  test('that empty the cache make a new generation each time, and nothing else', async () => {
    await change({ php });
    const first = await change({ empties_php_cache: true });
    const second = await change({ empties_php_cache: true });
    expect(second.generation).toBe(first.generation + 1);
    expect((await siteInSpec())?.site.php).toMatchObject({ memory_limit_mb: 128, cache_revision: 2 });
  });
});

describe('an alias', () => {
  test('is a name like any other, shows the site of a domain, and has no settings', async () => {
    const alias = `other-${name}`;
    const { view } = await addAlias(alias);
    await change({ document_root: 'web' });
    expect(await siteInSpec(view.id)).toMatchObject({ name: alias, is_primary: false, alias_of: domain_id });
    expect(await getDomain(admin(), { domain_id: view.id })).toMatchObject({ document_root: `${home}/web` });
    expect((await getSite(admin(), { domain_id })).aliases).toEqual([{ id: view.id, domain_name: alias }]);
    expect((await getSite(admin(), { domain_id: view.id })).alias_of).toEqual({
      id: domain_id,
      domain_name: name,
    });
    await expectRefusal(
      change({ https_redirect: false }, view.id),
      failedPrecondition('This name shows the site of another domain. Change the settings of that domain.'),
    );
    await expectRefusal(
      addAlias(`third-${name}`, view.id),
      failedPrecondition('This name shows the site of another domain. Add the name to that domain.'),
    );
  });

  test('obeys the rules of domains, and is a name of the same account’s domain', async () => {
    const other = await newAccount();
    const taken = `${fresh('taken')}.example`;
    const theirs = await createDomain(admin(), { hosting_account_id: other, domain_name: taken });
    await expectRefusal(addAlias(taken), invalid({ domain_name: 'The domain name has already been taken.' }));
    await expectRefusal(
      addAlias('co.uk'),
      invalid({ domain_name: 'The domain name field must not be a public suffix.' }),
    );
    await expectRefusal(addAlias(`a-${name}`, theirs.view.id), 'not_found');
    for (let n = 1; n < 10; n += 1) await addAlias(`n${n}-${name}`);
    await expectRefusal(addAlias(`n10-${name}`), {
      code: 'quota_exceeded',
      message: 'Domain limit reached (10).',
    });
  });

  test('is not the name that its site redirects to', async () => {
    const alias = `other-${name}`;
    await change(redirectTo(`https://www.${alias}/`));
    await expectRefusal(
      addAlias(alias),
      invalid({ domain_name: 'The domain name is where the site redirects to. Remove the redirect first.' }),
    );
    await change({ redirect: null });
    await addAlias(alias);
  });

  test('cannot have an app, and gets a site of its own when its domain is removed', async () => {
    const { view } = await addAlias(`other-${name}`);
    const choices = await getInstallChoices(admin(), { account_id: accountId });
    expect(choices.domains.map(({ id }) => id)).toEqual([domain_id]);
    await expectRefusal(
      createApp(admin(), {
        hosting_account_id: accountId,
        template_key: 'static',
        name: 'An app',
        env: new Map(),
        domain_id: view.id,
      }),
      invalid({ domain_id: 'The selected domain id is invalid.' }),
    );
    await removeDomain(admin(), { domain_id });
    expect(await siteInSpec(view.id)).toMatchObject({ alias_of: null, is_primary: true });
  });
});
