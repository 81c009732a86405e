import { beforeAll, describe, expect, it } from 'vitest';
import { STAFF_PASSWORD as password, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
});

/** Invites a person and returns its browser at the page of the link. */
async function invited(username: string, role = 'support'): Promise<PageVisitor> {
  await admin.open('/staff/new');
  const { html } = await admin.send('/staff/new', {
    username,
    name: 'A Person',
    email: `${username}@panel.test`,
    role,
  });
  const link = /https:\/\/panel\.example\.com(\/invitation\/[^"<]+)/
    .exec(html)?.[1]
    ?.replaceAll('&amp;', '&');
  const visitor = new PageVisitor(rig.origin);
  await visitor.open(link ?? '/no-link');
  return visitor;
}

async function idOf(username: string): Promise<number> {
  const { id } = await rig.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  return id;
}

describe('staff', () => {
  it('an invited person sets a password, signs in, and works within its role', async () => {
    const person = await invited('helper');
    expect(person.page.text).toContain('Your username is helper.');
    const refused = await person.send(person.page.path, { password, repeated_password: 'another' });
    expect([refused.status, refused.errorAt('repeated_password')]).toEqual([
      422,
      'The two passwords do not match.',
    ]);
    expect((await person.send(person.page.path, { password, repeated_password: password })).path).toBe(
      '/login',
    );
    await person.signIn('helper', password);
    expect((await person.open('/accounts')).status).toBe(200);
    for (const path of ['/staff', '/staff/new', '/security/tokens'])
      expect((await person.open(path)).status).toBe(403);
    expect((await person.open('/accounts')).html).not.toContain('href="/staff"');
  });

  it('a changed link, and one that was used, get a page that says so', async () => {
    const person = await invited('second');
    const { path } = person.page;
    const changed = await person.open(
      path.replace(/signature=./, 'signature=0').replace(/expires=1/, 'expires=2'),
    );
    expect([changed.status, changed.text.includes('This link has expired or was used.')]).toEqual([
      403,
      true,
    ]);
    await person.open(path);
    await person.send(path, { password, repeated_password: password });
    expect((await person.open(path)).status).toBe(403);
  });

  it('a new role signs the person out; the own access and the last admin are safe', async () => {
    const person = await invited('third');
    await person.send(person.page.path, { password, repeated_password: password });
    await person.signIn('third', password);
    const id = await idOf('third');
    await admin.open(`/staff/${id}`);
    const { text, path } = await admin.send(`/staff/${id}/role`, { role: 'read_only' });
    expect([path, text.includes('The role of third was changed.')]).toEqual([`/staff/${id}`, true]);
    expect((await person.open('/accounts')).path).toMatch(/^\/login/);
    expect((await admin.open(`/staff/${await idOf('root-admin')}`)).text).toContain(
      'Another administrator changes your role and access.',
    );
    const own = await admin.send(`/staff/${await idOf('root-admin')}/disable`);
    expect([own.status, own.text.includes('Another administrator must change your own access.')]).toEqual([
      422,
      true,
    ]);
  });

  it('each change asks an old session for the password again', async () => {
    await invited('fourth');
    const id = await idOf('fourth');
    await admin.open(`/staff/${id}`);
    await rig.db
      .updateTable('sessions')
      .set({ proved_at: null })
      .where('user_id', '=', await idOf('root-admin'))
      .execute();
    for (const action of ['role', 'disable', 'enable', 'remove', 'link', 'second-factor/reset'])
      expect((await admin.send(`/staff/${id}/${action}`)).text).toContain('Confirm your identity');
    const removed = await admin.send(`/staff/${id}/remove`, { proof_password: password });
    expect(removed.text).toContain('fourth was removed.');
    expect(removed.html).not.toContain(`href="/staff/${id}"`);
  });

  it('a reseller and a visitor find no such page', async () => {
    const reseller = await signedIn(rig, 'acme');
    expect((await reseller.open('/staff')).status).toBe(404);
    expect((await new PageVisitor(rig.origin).open('/staff')).path).toMatch(/^\/login/);
  });
});
