import { createAdmin } from '@innkeeper/services';
import { beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

/** A form that arrives after its session has ended loses nothing but passwords. */
const rig = useControlPlaneRig();
const password = 'correct horse';
let serial = 0;
let username: string;
let someone: PageVisitor;
const here = () => ({ Origin: rig.origin });

beforeEach(async () => {
  serial += 1;
  username = `unsent${serial}`;
  await createAdmin(rig.operator, { username, email: `${username}@example.com`, password });
  someone = new PageVisitor(rig.origin, { 'X-Forwarded-For': `198.51.77.${serial}` });
  await someone.signIn(username, password);
});

/** Signs out in another tab of the same browser, whose cookies this tab still has. */
async function endSession(): Promise<void> {
  const tab = new PageVisitor(rig.origin);
  for (const [name, value] of someone.cookies) tab.cookies.set(name, value);
  await tab.open('/security');
  await tab.send('/logout');
}

const fields = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com`, 'tags[]': ['a', 'b'] });

it('after the sign-in the form is there again, and one button sends it', async () => {
  await someone.open('/profile');
  await endSession();
  const asked = await someone.send('/profile', fields('Ada'), here());
  expect(asked.path).toBe('/login?next=%2Funsent');
  expect(asked.text).toContain('Your session has ended. Sign in, then you can send the form.');
  const again = await someone.send('/login?next=%2Funsent', { username, password });
  expect(again.path).toBe('/unsent');
  expect(again.html).toContain('action="/profile"');
  for (const [name, value] of [
    ['name', 'Ada'],
    ['email', 'ada@example.com'],
    ['tags[]', 'a'],
    ['tags[]', 'b'],
  ])
    expect(again.html).toContain(`name="${name}" value="${value}"`);
  expect((await someone.send('/profile', fields('Ada'))).path).toBe('/security');
  expect((await someone.open('/profile')).html).toContain('value="Ada"');
});

it('a form of the session before can be sent in the present one', async () => {
  await someone.open('/profile');
  const before = someone.csrfToken();
  await someone.open('/security');
  await someone.send('/logout');
  await someone.signIn(username, password);
  const asked = await someone.send('/profile', { ...fields('Bea'), _csrf: before }, here());
  expect([asked.status, asked.path]).toEqual([403, '/profile']);
  expect(asked.html).toContain('name="name" value="Bea"');
});

it('passwords are not kept, and the cookie does not show what was typed', async () => {
  await someone.open('/security');
  await endSession();
  await someone.send('/security/password', { current_password: 'secret one', note: 'typed words' }, here());
  const cookie = someone.cookies.get('innkeeper_unsent') ?? '';
  expect(cookie.length).toBeGreaterThan(60);
  expect(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('typed');
  const { html } = await someone.send('/login?next=%2Funsent', { username, password });
  expect(html).toContain('typed words');
  expect(html).not.toContain('secret one');
});

it('a form that does not fit into a cookie is not kept, and the page says so', async () => {
  await someone.open('/profile');
  await endSession();
  const asked = await someone.send('/profile', { name: 'x'.repeat(4_000) }, here());
  expect(asked.path).toBe('/login');
  expect(asked.text).toContain('The form was too large to keep.');
  expect(someone.cookies.has('innkeeper_unsent')).toBe(false);
});

it('a form of another site is refused and not kept, before and after the session', async () => {
  await someone.open('/profile');
  const foreign = [{}, { Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }] as const;
  for (const headers of foreign) {
    const refused = await someone.send('/profile', { ...fields('Eve'), _csrf: 'wrong' }, headers);
    expect([refused.status, refused.text.includes('Eve')]).toEqual([403, false]);
    await someone.open('/profile');
  }
  await endSession();
  for (const headers of foreign)
    expect(await someone.send('/profile', fields('Eve'), headers)).toMatchObject({ status: 403 });
  expect(someone.cookies.has('innkeeper_unsent')).toBe(false);
});

it('a changed cookie leads to the home page', async () => {
  someone.cookies.set('innkeeper_unsent', 'a.AAAA');
  expect((await someone.open('/unsent')).path).toBe('/');
  expect(someone.cookies.has('innkeeper_unsent')).toBe(false);
});
