import { type Database, insertUser, takeStaffEmail } from '@innkeeper/db';
import { USERNAME_PATTERN } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { FieldCheck } from '../field-check.ts';

export interface PanelUserInput {
  username: string;
  /** Default: the username. */
  name?: string;
  /** Unique among admins, resellers and end users. */
  email: string;
  /** 8 to 255 characters, not trimmed. */
  password: string;
}

export interface PanelUserView {
  id: number;
  username: string;
  name: string;
  email: string;
  role: 'admin' | 'reseller';
  created_at: Date;
}

/** Returns the input in its stored form. Throws DomainError `invalid` with every wrong field. */
export function checkedPanelUser(input: PanelUserInput): Required<PanelUserInput> {
  const check = new FieldCheck();
  const username = input.username.trim().toLowerCase();
  if (!USERNAME_PATTERN.test(username))
    check.refuse('username', 'The username field must be 3-16 letters a-z, digits, dashes and underscores.');
  const name = check.line('name', input.name ?? username, { min: 1, max: 100 });
  const email = check.email('email', input.email);
  check.password('password', input.password);
  check.settle();
  return { username, name, email, password: input.password };
}

/** Inserts the user with username, email address and an audit row. Throws DomainError `invalid` for taken values. */
export async function addPanelUser(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  role: PanelUserView['role'],
  user: { username: string; name: string; email: string; password_hash: string },
): Promise<PanelUserView> {
  const now = ctx.now();
  const id = await insertUser(trx, { ...user, role, now });
  await takeStaffEmail(trx, user.email, id);
  const { username, name, email } = user;
  await audit(trx, ctx, {
    action: `${role}.create`,
    target: `user:${id}`,
    account_id: null,
    details: { after: { username, name, email, role } },
  });
  return { id, username, name, email, role, created_at: now };
}
