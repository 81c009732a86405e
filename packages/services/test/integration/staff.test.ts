import {
  acceptInvitation,
  authenticateToken,
  createAdmin,
  createToken,
  disableStaff,
  enableStaff,
  findSession,
  inviteStaff,
  listStaff,
  type OperatorContext,
  removeStaff,
  renewInvitation,
  resetSecondFactor,
  setStaffRole,
  signIn,
} from '@innkeeper/services';
import { beforeAll, describe, expect, test } from 'vitest';
import { actor, auditOfTarget } from './fixtures.ts';
import { signer, visitor } from './panel-users.ts';
import { fresh, ownDatabase, rowsWhere, updateRows } from './records.ts';
import { expectRefusal, forbidden } from './refusals.ts';

const database = ownDatabase();
const password = 'correct horse battery';
const unauthorized = forbidden('This action is unauthorized.');
const used = forbidden(
  'This link has expired or was used. Ask the administrator who invited you for a new one.',
);
let innctl: OperatorContext & { signer: typeof signer };

beforeAll(() => {
  innctl = { ...actor(database.db), signer };
});

async function admin() {
  const username = fresh('boss');
  const user = await createAdmin(innctl, { username, email: `${username}@a.example`, password });
  return { ...user, ctx: { ...actor(database.db, { userId: user.id }), signer } };
}

const invite = (role: 'admin' | 'support' | 'read_only' = 'support', ctx = innctl) => {
  const username = fresh('person');
  return inviteStaff(ctx, { username, email: `${username}@a.example`, role });
};
const session = async (username: string) => {
  const signed = await signIn(visitor(database.db), { username, password });
  return await findSession(database.db, { token: signed.session?.token ?? '', now: new Date() });
};
const accept = (invitation: Awaited<ReturnType<typeof invite>>['invitation'], at?: Date) =>
  acceptInvitation(visitor(database.db, at), { invitation, password });

describe('an invitation', () => {
  test('sets the password once, and nobody else knows it', async () => {
    const { staff, invitation } = await invite();
    expect(staff).toMatchObject({ role: 'support', status: 'invited' });
    await expect(signIn(visitor(database.db), { username: staff.username, password })).rejects.toThrow();
    await accept(invitation);
    expect((await session(staff.username))?.user).toMatchObject({ id: staff.id, role: 'support' });
    await expectRefusal(accept(invitation), used);
    expect(await auditOfTarget(database.db, `user:${staff.id}`)).toEqual([
      'staff.invite',
      'staff.accept-invitation',
    ]);
  });

  test('works for 48 hours, for its person alone, and not after a newer one', async () => {
    const { staff, invitation } = await invite();
    await expectRefusal(accept({ ...invitation, expires: invitation.expires + 1 }), used);
    await expectRefusal(accept({ ...invitation, user_id: (await invite()).staff.id }), used);
    await expectRefusal(accept(invitation, new Date(invitation.expires * 1_000)), used);
    const newer = await renewInvitation(innctl, { user_id: staff.id });
    await expectRefusal(accept(invitation), used);
    await accept(newer.invitation);
  });

  test('is refused for a taken name, a wrong role, and to everybody but admins', async () => {
    const { staff } = await invite();
    const input = { username: staff.username, email: 'x@a.example', role: 'support' as const };
    await expect(inviteStaff(innctl, input)).rejects.toMatchObject({ code: 'invalid' });
    await expect(
      inviteStaff(innctl, { ...input, username: fresh('p'), role: 'reseller' as never }),
    ).rejects.toMatchObject({ fields: { role: ['The selected role is invalid.'] } });
    for (const role of ['support', 'read_only', 'reseller'] as const)
      await expectRefusal(
        inviteStaff({ ...actor(database.db, { userId: staff.id, role }), signer }, input),
        unauthorized,
      );
  });
});

describe('a change of a person', () => {
  test('of its role ends its sessions, and its tokens have the rights of the new role', async () => {
    const boss = await admin();
    const { id, username } = await admin();
    const signed = await signIn(visitor(database.db), { username, password });
    const { plain_token, token } = await createToken(innctl, { user: username, name: 't', abilities: ['*'] });
    const changed = await setStaffRole(boss.ctx, { user_id: id, role: 'read_only' });
    expect(changed).toMatchObject({ staff: { role: 'read_only' }, token_ids: [token.id] });
    expect(
      await findSession(database.db, { token: signed.session?.token ?? '', now: new Date() }),
    ).toBeNull();
    expect((await authenticateToken(database.db, plain_token))?.user.role).toBe('read_only');
    expect((await session(username))?.user.role).toBe('read_only');
  });

  test('disabling ends its sessions, sign-in and tokens, until it is enabled', async () => {
    const boss = await admin();
    const { id, username } = await admin();
    const { plain_token } = await createToken(innctl, { user: username, name: 't', abilities: ['*'] });
    const signed = await signIn(visitor(database.db), { username, password });
    await disableStaff(boss.ctx, { user_id: id });
    const find = () => findSession(database.db, { token: signed.session?.token ?? '', now: new Date() });
    expect(await find()).toBeNull();
    expect(await authenticateToken(database.db, plain_token)).toBeNull();
    await expectRefusal(session(username), forbidden('This user is disabled. Ask an administrator.'));
    await enableStaff(boss.ctx, { user_id: id });
    expect(await session(username)).not.toBeNull();
    expect(await authenticateToken(database.db, plain_token)).not.toBeNull();
  });

  test('removing frees its name and address, revokes its tokens, and the audit log keeps its name', async () => {
    const boss = await admin();
    const { id, username, email } = await admin();
    const { plain_token } = await createToken(innctl, { user: username, name: 't', abilities: ['*'] });
    await removeStaff(boss.ctx, { user_id: id });
    expect(await authenticateToken(database.db, plain_token)).toBeNull();
    await expect(signIn(visitor(database.db), { username, password })).rejects.toThrow();
    expect((await listStaff(innctl)).map((person) => person.id)).not.toContain(id);
    expect((await rowsWhere(database.db, 'users', { id }))[0]?.username).toBe(username);
    const again = await inviteStaff(innctl, { username, email, role: 'admin' });
    await accept(again.invitation);
    expect((await session(username))?.user.id).toBe(again.staff.id);
  });

  test('nobody changes the own access, and support changes nobody’s', async () => {
    const { id, ctx } = await admin();
    for (const change of [disableStaff, removeStaff, renewInvitation])
      await expect(change(ctx, { user_id: id })).rejects.toMatchObject({ code: 'precondition_failed' });
    const { staff } = await invite();
    const support = { ...actor(database.db, { userId: staff.id, role: 'support' }), signer };
    for (const change of [disableStaff, enableStaff, removeStaff, renewInvitation])
      await expectRefusal(change(support, { user_id: id }), unauthorized);
    await expectRefusal(setStaffRole(support, { user_id: staff.id, role: 'admin' }), unauthorized);
    await expectRefusal(resetSecondFactor(support, { username: (await admin()).username }), unauthorized);
  });
});

describe('of the last admins', () => {
  test('one stays, however many remove, demote and disable each other at once', async () => {
    for (const change of [
      removeStaff,
      disableStaff,
      (ctx: typeof innctl, asked: { user_id: number }) => setStaffRole(ctx, { ...asked, role: 'support' }),
    ]) {
      await updateRows(database.db, 'users', { role: 'admin' }, { disabled_at: new Date() });
      const admins = [await admin(), await admin(), await admin(), await admin()];
      await Promise.allSettled(
        admins.flatMap(({ ctx, id }) =>
          admins.filter((other) => other.id !== id).map((other) => change(ctx, { user_id: other.id })),
        ),
      );
      const left = (await listStaff(innctl)).filter(
        ({ role, status }) => role === 'admin' && status === 'active',
      );
      expect(left).toHaveLength(1);
      await expect(change(innctl, { user_id: left[0]?.id ?? 0 })).rejects.toMatchObject({
        code: 'precondition_failed',
      });
    }
  });
});
