import { findSignInUser, inTransaction, storeSessionProof } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { withOwnCode } from '../second-factor/own-code.ts';
import { requireOwnPassword } from '../users/own-password.ts';
import type { SessionIdentity } from './find-session.ts';

/** How long a proof is valid, in ms. */
const PROOF_MS = 10 * 60_000;

/** Whether the user entered the password or a code in this session within the last 10 minutes. */
export function isProven({ session }: Pick<SessionIdentity, 'session'>, now: Date): boolean {
  return session.proved_at !== null && session.proved_at.getTime() > now.getTime() - PROOF_MS;
}

/**
 * The user proves their identity again: with a code if they have a second factor, otherwise with the password. After
 * that, `isProven` is true for 10 minutes. Throws `invalid` on the field `code` or `current_password`, and the errors
 * for too many attempts.
 */
export async function proveSession(
  ctx: UserContext,
  { current_password, code }: { current_password: string; code: string },
): Promise<void> {
  const { userId } = ctx.actor;
  const user = await findSignInUser(ctx.db, { id: userId });
  if (user === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
  const note = async (trx: Parameters<typeof storeSessionProof>[0], kind: string) => {
    await storeSessionProof(trx, ctx.sessionId, ctx.now());
    const [target, details] = [`session:${ctx.sessionId}`, { with: kind }];
    await audit(trx, ctx, { action: 'session.prove', target, account_id: null, details });
  };
  if (user.totp_confirmed_at !== null) return await withOwnCode(ctx, code, note);
  await requireOwnPassword(ctx, user, current_password);
  await inTransaction(ctx.db, (trx) => note(trx, 'password'));
}
