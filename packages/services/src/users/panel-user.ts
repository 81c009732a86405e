import { newStaffUser, type PanelUserInput, parseFields } from '@innkeeper/contract';
import { type Database, insertUser, takeStaffEmail } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';

export interface PanelUserView {
  id: number;
  username: string;
  name: string;
  email: string;
  role: 'admin' | 'reseller';
  created_at: Date;
}

/** Returns the input in its stored form. Throws DomainError `invalid` with every wrong field. */
export function checkedPanelUser(input: PanelUserInput): PanelUserInput & { name: string } {
  const { name, ...user } = parseFields(newStaffUser, input);
  return { ...user, name: name ?? user.username };
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
