import { randomBytes } from 'node:crypto';
import type { Question } from '@innkeeper/protocol';
import {
  createAdmin,
  createReseller,
  disableStaff,
  suspendAccount,
  suspendReseller,
} from '@innkeeper/services';
import { makeZip } from '@innkeeper/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { STAFF_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { FilePrograms } from './files-program.ts';
import { PageVisitor, unescaped } from './page-visitor.ts';

/** An operator who is logged in as a customer: the customer's pages have a path, a session and cookies of their own. */
const rig = useControlPlaneRig();
let admin: PageVisitor;
let serial = 0;

beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
});

/** Logs in as the customer of a new account. `as`: the path of its pages, with a slash at its end. */
async function loggedIn(
  operator = admin,
  token?: string,
): Promise<{ as: string; id: number; username: string }> {
  const { id, username } = await rig.createAccount({}, token);
  await operator.open(`/accounts/${id}`);
  const { status, path } = await operator.send(`/accounts/${id}/log-in`);
  expect([status, path]).toEqual([200, expect.stringMatching(/^\/as\/\d+\/$/)]);
  return { as: path, id, username };
}

const cookieOf = (as: string) => `innkeeper_as_${as.split('/')[2]}`;

/** Another browser with some of the cookies. */
function browserWith(from: PageVisitor, names: (name: string) => boolean): PageVisitor {
  const browser = new PageVisitor(rig.origin);
  for (const [name, value] of from.cookies) if (names(name)) browser.cookies.set(name, value);
  return browser;
}

it('opens in a new tab, says whose account it is, and ends with the bar; other tabs stay the operator’s', async () => {
  const { as, id, username } = await loggedIn();
  expect((await admin.open(`/accounts/${id}`)).html).toMatch(/log-in" class="inline" target="_blank"/);
  const inside = await admin.open(`${as}sites`);
  expect(inside.text).toContain(
    `You are signed in as ${username} . Changes are recorded under your name, root-admin. Return to your own panel`,
  );
  expect(inside.html).not.toContain('/logout');
  expect((await admin.open('/accounts')).text).toContain(username);
  expect(admin.page.text).not.toContain('You are signed in as');
  const back = await admin.send(`${as}return`, {}, {});
  expect(back).toMatchObject({ status: 403 });
  await admin.open(as);
  expect(await admin.send(`${as}return`)).toMatchObject({ status: 200, path: `/accounts/${id}` });
  expect(admin.cookies.has(cookieOf(as))).toBe(false);
  expect(await admin.open(as)).toMatchObject({ path: '/' });
  expect(admin.page.text).toContain('The session as the customer has ended.');
});

it('two customers at once, in two tabs, are told apart, with their forms and notices', async () => {
  const [one, two] = [await loggedIn(), await loggedIn()];
  for (const { as, username } of [one, two, one])
    expect((await admin.open(`${as}security`)).text).toContain(`Username ${username}`);
  await admin.open(one.as);
  const foreign = await admin.send(`${two.as}cron`, { name: 'Stray', schedule: '@daily', command: 'true' });
  expect(foreign.status).toBe(403);
  await admin.open(two.as);
  const added = await admin.send(`${two.as}cron`, { name: 'Nightly', schedule: '@daily', command: 'true' });
  expect(added).toMatchObject({ status: 200, path: expect.stringMatching(`^${two.as}cron`) });
  expect((await admin.open(`${one.as}cron`)).text).not.toContain('Nightly');
  expect(await rig.db.selectFrom('cron_jobs').select('account_id').execute()).toEqual([
    { account_id: two.id },
  ]);
  await admin.open(one.as);
  await admin.send(`${one.as}return`);
  expect((await admin.open(two.as)).path).toBe(two.as);
});

const LINKS = / (href|src|action|formaction|data-[\w-]+)="(\/[^"]*)"/g;

it('no link, form or address of a page leads out, except assets', async () => {
  await using programs = new FilePrograms();
  rig.node.behaviour.talk = (channel, { program }: Question<'open-channel'>) => {
    if (program.kind === 'files') void programs.serve(channel);
    else channel.resume().end();
  };
  const { as, id } = await loggedIn();
  const domain = { hosting_account_id: id, domain_name: 'walked.example.com' };
  const made = (await rig.ask('createDomain', { body: domain })).body.data;
  await admin.open(as);
  await admin.send(`${as}cron`, { name: 'Nightly', schedule: '@daily', command: 'true' });
  await admin.send(`${as}databases`, { name: 'walked' });
  const outside: string[] = [];
  const waiting = [as, `${as}sites/${made.id}`];
  const seen = new Set(waiting);
  const kinds = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { status, html, path: at } = await admin.open(path);
    expect([status, at.startsWith(as)], path).toEqual([200, true]);
    for (const [, attribute = '', value = ''] of html.matchAll(LINKS)) {
      kinds.add(attribute);
      const target = unescaped(value).split('#')[0] ?? '';
      if (target.startsWith('/assets/')) continue;
      if (!target.startsWith(as)) outside.push(`${path}: ${attribute}="${target}"`);
      if (attribute !== 'href' || seen.has(target) || seen.size > 200) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  expect(outside).toEqual([]);
  expect([...kinds]).toEqual(expect.arrayContaining(['href', 'src', 'action', 'data-preview']));
  const walked = [...seen].map((path) => path.slice(as.length).replace(/[\d?].*/, ''));
  expect(walked).toEqual(
    expect.arrayContaining([
      '',
      'sites',
      'sites/',
      'sites/new',
      'apps',
      'databases',
      'cron',
      'security',
      'usage',
    ]),
  );
}, 60_000);

it('a redirect of a form and of a script stay below the path, also with another page to return to', async () => {
  const { as } = await loggedIn();
  await admin.open(as);
  expect(await admin.send(`${as}theme`, { theme: 'dark', back: '/cron' })).toMatchObject({
    path: `${as}cron`,
  });
  const headers = { 'X-Panel-Script': '1' };
  const scripted = await admin.send(`${as}theme`, { theme: 'dark', back: '/cron' }, headers);
  expect(scripted.headers.get('X-Panel-Location')).toBe(`${as}cron`);
  expect((await admin.open(as.slice(0, -1))).path).toBe(as);
  expect((await admin.send(`${as}theme`, { theme: 'dark', back: '//evil.example' })).path).toBe(as);
});

it('an archive is uploaded below the path', async () => {
  const { as } = await loggedIn();
  await admin.open(`${as}apps/new?template=nodejs`);
  const app = { template_key: 'nodejs', name: 'Shop', start_command: 'npm start', node_version: '22' };
  const { path } = await admin.send(`${as}apps`, app);
  expect(path).toMatch(new RegExp(`^${as}apps/\\d+$`));
  const content = makeZip([{ name: 'index.js', data: randomBytes(200_000).toString('hex') }]);
  const file = { field: 'archive', name: 'site.zip', content };
  const uploaded = await admin.upload(`${path}/deploy-zip`, file);
  expect([uploaded.status, uploaded.path]).toEqual([200, path]);
  expect([...rig.node.archives.values()].some((archive) => archive.equals(content))).toBe(true);
});

it('text of a customer that looks like a link is not changed', async () => {
  const { as } = await loggedIn();
  const command = 'echo href="/x" action=\'/y\' data-live="/z"';
  await admin.open(as);
  const { html } = await admin.send(`${as}cron`, { name: 'Odd', schedule: '@daily', command });
  expect(unescaped(html)).toContain('echo href="/x" action=');
});

it('the audit log records the operator as the customer, and the customer reads "your provider"', async () => {
  const { as, id, username } = await loggedIn();
  await admin.open(as);
  await admin.send(`${as}cron`, { name: 'Nightly', schedule: '@daily', command: 'true' });
  expect((await admin.open(as)).text).toContain('Scheduled task Nightly was added. your provider');
  await admin.send(`${as}return`);
  const { text } = await admin.open(`/audit?account=${username}`);
  expect(text).toContain(`root-admin, as ${username} added the scheduled task Nightly`);
  const rows = await rig.db
    .selectFrom('audit_log')
    .select(['action', 'as_user_id'])
    .where('account_id', '=', id)
    .where('action', 'like', 'session.%')
    .execute();
  expect(rows).toEqual([{ action: 'session.create', as_user_id: expect.any(Number) }]);
});

describe('the cookie', () => {
  const cookiesOf = async (headers: Record<string, string>) => {
    const operator = new PageVisitor(rig.origin, headers);
    await operator.signIn('root-admin', STAFF_PASSWORD);
    const { id } = await rig.createAccount();
    await operator.open(`/accounts/${id}`);
    const answer = await fetch(`${rig.origin}/accounts/${id}/log-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...headers,
        Cookie: [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: new URLSearchParams({ _csrf: operator.csrfToken() }),
    });
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.replaceAll(/\d+/g, 'N').replace(/=[^;]+/, '=…'));
  };

  it('is sent to the pages of its session alone, and never to scripts or other sites', async () => {
    expect(await cookiesOf({})).toEqual(['innkeeper_as_N=…; Path=/as/N/; HttpOnly; SameSite=Strict']);
    expect(await cookiesOf({ 'X-Forwarded-Proto': 'https' })).toEqual([
      '__Secure-innkeeper_as_N=…; Path=/as/N/; HttpOnly; Secure; SameSite=Strict',
    ]);
  });
});

describe('the pages as a customer', () => {
  const outside = { path: expect.stringMatching(/^\/(?:login)?$/) };

  it('are not there for a guessed number', async () => {
    const { as } = await loggedIn();
    const next = `/as/${Number(as.split('/')[2]) + 1}/`;
    for (const path of [next, '/as/1/', '/as/999999999999999/sites'])
      expect(await admin.open(path), path).toMatchObject(outside);
    for (const path of ['/as/0/', '/as/x/', `${as}as/1/`, `${as}login`, `${as}accounts`])
      expect((await admin.open(path)).status, path).toBe(404);
  });

  it('are not there for another operator with the cookie, and its own session stays', async () => {
    const { as } = await loggedIn();
    await createReseller(rig.operator, {
      username: 'nosy',
      email: 'nosy@resellers.test',
      password: STAFF_PASSWORD,
    });
    const nosy = await signedIn(rig, 'nosy');
    nosy.cookies.set(cookieOf(as), admin.cookies.get(cookieOf(as)) ?? '');
    expect(await nosy.open(`${as}sites`)).toMatchObject({ path: '/' });
    expect((await nosy.open('/accounts')).status).toBe(200);
    expect((await admin.open(`${as}sites`)).path).toBe(`${as}sites`);
  });

  it('are not there for the same operator in another session, nor under the number of another one', async () => {
    const [one, two] = [await loggedIn(), await loggedIn()];
    const again = await signedIn(rig, 'root-admin');
    again.cookies.set(cookieOf(one.as), admin.cookies.get(cookieOf(one.as)) ?? '');
    expect(await again.open(one.as)).toMatchObject({ path: '/' });
    const mixed = browserWith(admin, (name) => name === 'innkeeper_session');
    mixed.cookies.set(cookieOf(two.as), admin.cookies.get(cookieOf(one.as)) ?? '');
    expect(await mixed.open(two.as)).toMatchObject({ path: '/' });
  });

  it('are not there without a session of the operator, and the cookie is no session elsewhere', async () => {
    const { as } = await loggedIn();
    const thief = browserWith(admin, (name) => name === cookieOf(as));
    expect(await thief.open(`${as}sites`)).toMatchObject({ path: '/login' });
    const elsewhere = new PageVisitor(rig.origin);
    elsewhere.cookies.set('innkeeper_session', admin.cookies.get(cookieOf(as)) ?? '');
    expect((await elsewhere.open('/sites')).path).toMatch(/^\/login/);
  });

  it.each([
    ['is disabled', disabled],
    ['signs out everywhere', signedOutEverywhere],
    ['signs out in another tab', signedOutInTab],
  ])('end when the operator %s', async (_name, end) => {
    serial += 1;
    const username = `boss${serial}`;
    await createAdmin(rig.operator, { username, email: `${username}@boss.test`, password: STAFF_PASSWORD });
    const boss = await signedIn(rig, username);
    const { as } = await loggedIn(boss);
    expect((await boss.open(`${as}sites`)).path).toBe(`${as}sites`);
    await end(username, boss);
    expect((await boss.open(`${as}sites`)).path).toBe('/login');
  });

  it('end when the reseller is suspended', async () => {
    const acme = await signedIn(rig, 'acme');
    const { as } = await loggedIn(acme, rig.resellerToken);
    await suspendReseller(rig.operator, { reseller: 'acme' });
    expect((await acme.open(`${as}sites`)).path).toBe('/login');
  });

  it('end when the customer is suspended: the operator is back in its own panel', async () => {
    const { as, id } = await loggedIn();
    await suspendAccount(rig.operator, { account_id: id });
    const sent = await admin.open(`${as}sites`);
    expect(sent).toMatchObject({ path: '/' });
    expect(sent.text).toContain('The session as the customer has ended.');
    expect((await admin.open('/accounts')).status).toBe(200);
  });

  it('keep the checks of forms: token of this session, and origin', async () => {
    const { as, id } = await loggedIn();
    await admin.open(`/accounts/${id}`);
    const fields = { name: 'Stray', schedule: '@daily', command: 'true' };
    expect((await admin.send(`${as}cron`, fields)).status, 'token of the operator’s page').toBe(403);
    await admin.open(as);
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect((await admin.send(`${as}cron`, fields, headers)).status).toBe(403);
    const old = { ...fields, _csrf: 'f'.repeat(64) };
    const asked = await admin.send(`${as}cron`, old, { Origin: rig.origin });
    expect(asked).toMatchObject({ status: 403 });
    expect(asked.html).toContain(`action="${as}cron"`);
    expect(asked.html).toContain('name="name" value="Stray"');
    expect((await admin.send(`${as}cron`, fields)).path).toMatch(`${as}cron`);
  });

  it('say that a form was not sent when the session has ended', async () => {
    const { as, id } = await loggedIn();
    await admin.open(`${as}cron/new`);
    await suspendAccount(rig.operator, { account_id: id });
    const lost = await admin.send(`${as}cron`, { name: 'Late', schedule: '@daily', command: 'true' });
    expect(lost.path).toBe('/');
    expect(lost.text).toContain('so the form was not sent and nothing has changed');
  });
});

async function disabled(username: string): Promise<void> {
  const user = rig.db.selectFrom('users').select('id').where('username', '=', username);
  await disableStaff(rig.operator, { user_id: (await user.executeTakeFirstOrThrow()).id });
}

async function signedOutEverywhere(username: string): Promise<void> {
  const elsewhere = await signedIn(rig, username);
  await elsewhere.open('/security');
  await elsewhere.send('/security/sessions/end-all');
}

async function signedOutInTab(_username: string, operator: PageVisitor): Promise<void> {
  const tab = browserWith(operator, () => true);
  await tab.open('/security');
  expect((await tab.send('/logout')).path).toBe('/login');
}
