import {
  type Database,
  deleteSessionsOfUser,
  findLiveTokenIds,
  inTransaction,
  lockStaff,
  retireStaff,
  type StaffRow,
  setTokenRevoked,
  updateStaff,
} from '@innkeeper/db';
import { type Action, DomainError, invalidField, isStaffRole, requireMay } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { nobodysPasswordHash } from '../passwords/panel-password.ts';
import type { Signer } from '../secrets/signer.ts';
import { type Invitation, makeInvitation } from './invitation.ts';
import { noStaff } from './list-staff.ts';
import { type StaffView, staffView } from './staff-view.ts';

/** What a change of a person ended. */
export interface StaffChanged {
  staff: StaffView;
  /** Tokens whose rights may have changed: caches must forget them. */
  token_ids: number[];
}

type Changes = Partial<Pick<StaffRow, 'role' | 'password_hash' | 'disabled_at' | 'invited_at'>>;

/**
 * Changes the role of a person. All its browsers are signed out, and its tokens have the rights of the new role. Throws
 * `forbidden`, `not_found`, and `precondition_failed` for the actor itself and if no admin would be left.
 */
export async function setStaffRole(
  ctx: OperatorContext,
  { user_id, role }: { user_id: number; role: string },
): Promise<StaffChanged> {
  if (!isStaffRole(role)) throw invalidField('role', 'The selected role is invalid.');
  return await changeStaff(ctx, { user_id, action: 'staff.set-role' }, (person) =>
    person.role === role ? null : { role },
  );
}

/** The person cannot sign in, and its tokens do not work, until it is enabled. Throws like `setStaffRole`. */
export async function disableStaff(ctx: OperatorContext, asked: { user_id: number }): Promise<StaffChanged> {
  return await changeStaff(ctx, { ...asked, action: 'staff.disable' }, ({ disabled_at }) =>
    disabled_at === null ? { disabled_at: ctx.now() } : null,
  );
}

/** Throws like `setStaffRole`. */
export async function enableStaff(ctx: OperatorContext, asked: { user_id: number }): Promise<StaffChanged> {
  return await changeStaff(ctx, { ...asked, action: 'staff.enable' }, ({ disabled_at }) =>
    disabled_at === null ? null : { disabled_at: null },
  );
}

/**
 * A new link to set a password, for an invited person, or one who forgot it. The former password and links stop working.
 * Throws like `setStaffRole`.
 */
export async function renewInvitation(
  ctx: OperatorContext & { signer: Signer },
  asked: { user_id: number },
): Promise<StaffChanged & { invitation: Invitation }> {
  const invited_at = ctx.now();
  const password_hash = nobodysPasswordHash;
  const changed = await changeStaff(ctx, { ...asked, action: 'staff.renew-invitation' }, () => ({
    invited_at,
    password_hash,
  }));
  const user = { id: changed.staff.id, password_hash, invited_at };
  return { ...changed, invitation: makeInvitation(ctx.signer, user) };
}

/**
 * Removes a person: its sessions end, its tokens are revoked, its name and email address are free. The audit log keeps
 * the name. Throws like `setStaffRole`.
 */
export async function removeStaff(ctx: OperatorContext, asked: { user_id: number }): Promise<StaffChanged> {
  return await change(ctx, { ...asked, action: 'staff.remove' }, async (trx, person) => {
    const now = ctx.now();
    await retireStaff(trx, { id: person.id, password_hash: nobodysPasswordHash, now });
    for (const id of await findLiveTokenIds(trx, person.id)) await setTokenRevoked(trx, id, now);
    const { username, name, email, role } = person;
    return { after: null, details: { before: { username, name, email, role } } };
  });
}

interface Asked {
  user_id: number;
  action: Action;
}

/** Null: nothing has to change, and nothing is written. */
async function changeStaff(
  ctx: OperatorContext,
  asked: Asked,
  changeOf: (person: StaffRow) => Changes | null,
): Promise<StaffChanged> {
  return await change(ctx, asked, async (trx, person) => {
    const changes = changeOf(person);
    if (changes === null) return null;
    await updateStaff(trx, person.id, { ...changes, updated_at: ctx.now() });
    const { password_hash, invited_at: _, ...told } = changes;
    return {
      after: { ...person, ...changes },
      details: {
        username: person.username,
        ...changedFields({ ...person }, told),
        ...(password_hash === undefined ? {} : { replaced: ['password'] }),
      },
    };
  });
}

interface Done {
  /** Null: the person is gone. */
  after: StaffRow | null;
  details: Readonly<Record<string, unknown>>;
}

/**
 * Under the lock of the whole staff: the actor is still an active admin, another person changes, and an active admin is
 * left.
 */
async function change(
  ctx: OperatorContext,
  { user_id, action }: Asked,
  write: (trx: Transaction<Database>, person: StaffRow) => Promise<Done | null>,
): Promise<StaffChanged> {
  const { userId, role } = ctx.actor;
  requireMay(role, action);
  return await inTransaction(ctx.db, async (trx) => {
    const staff = await lockStaff(trx);
    const actor = staff.find(({ id }) => id === userId);
    if (userId !== null && (actor === undefined || !isActiveAdmin(actor)))
      throw new DomainError('forbidden', 'This action is unauthorized.');
    const person = staff.find(({ id }) => id === user_id);
    if (person === undefined) throw noStaff(user_id);
    if (user_id === userId)
      throw new DomainError('precondition_failed', 'Another administrator must change your own access.');
    const token_ids = await findLiveTokenIds(trx, user_id);
    const done = await write(trx, person);
    if (done === null) return { staff: staffView(person), token_ids: [] };
    const left = staff.map((one) => (one.id === user_id ? done.after : one));
    if (staff.some(isActiveAdmin) && !left.some((one) => one !== null && isActiveAdmin(one)))
      throw new DomainError(
        'precondition_failed',
        'At least one administrator who can sign in must be left.',
      );
    const sessions_ended = await deleteSessionsOfUser(trx, user_id);
    await audit(trx, ctx, {
      action,
      target: `user:${user_id}`,
      account_id: null,
      details: { ...done.details, sessions_ended },
    });
    return { staff: staffView(done.after ?? person), token_ids };
  });
}

function isActiveAdmin({ role, disabled_at, invited_at }: StaffRow): boolean {
  return role === 'admin' && disabled_at === null && invited_at === null;
}
