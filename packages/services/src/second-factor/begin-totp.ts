import { findUserProfile } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { UserContext } from '../panel-context.ts';
import { makeTotpSecret, totpUri } from './totp.ts';
import { openSetUp, sealSetUp, type TotpSetUp } from './totp-set-up.ts';

/** The secret for the authenticator app, and the sealed set-up that the page passes to `confirmTotp`. */
export interface TotpBegun {
  secret: string;
  /** For a QR code. Contains the secret. */
  uri: string;
  set_up: TotpSetUp;
}

/**
 * Creates a secret for the user's authenticator app, or shows the secret of `kept` again while it is valid. Has no
 * effect before `confirmTotp`. Throws `conflict` if the second factor is already enabled.
 */
export async function beginTotp(
  ctx: UserContext,
  { kept }: { kept?: TotpSetUp | undefined } = {},
): Promise<TotpBegun> {
  const { userId } = ctx.actor;
  const user = await findUserProfile(ctx.db, userId);
  if (user === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
  if (user.totp_confirmed_at !== null)
    throw new DomainError('conflict', 'Two-factor authentication is enabled already.');
  const known = kept === undefined ? undefined : openSetUp(ctx, kept);
  const secret = known ?? makeTotpSecret();
  return {
    secret,
    uri: totpUri(secret, user.username),
    set_up: known === undefined || kept === undefined ? sealSetUp(ctx, secret) : kept,
  };
}
