import type { PanelUserInput } from '@innkeeper/contract';
import { inTransaction } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { passwordHashesOf } from '../passwords/password-hashes.ts';
import { addPanelUser, checkedPanelUser, type PanelUserView } from './panel-user.ts';

/** Creates an admin, who has full access. Throws DomainError `invalid` for malformed or taken values. */
export async function createAdmin(ctx: OperatorContext, input: PanelUserInput): Promise<PanelUserView> {
  requireMay(ctx.actor.role, 'admin.create');
  const { password, ...user } = checkedPanelUser(input);
  const password_hash = await passwordHashesOf(ctx).panel(password);
  return inTransaction(ctx.db, (trx) => addPanelUser(trx, ctx, 'admin', { ...user, password_hash }));
}
