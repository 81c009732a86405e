import { deleteFtpLogin, getFtpLogin } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { auditedFtpLogin, type FtpLoginView, ftpLoginView } from './ftp-login-view.ts';

/**
 * Removes a login. Its row is deleted at once, because a node removes every login that is not in the account's spec, and
 * ends its sessions. Files stay. Throws `not_found`, and `precondition_failed` while the account is being terminated.
 */
export async function removeFtpLogin(
  ctx: ServiceContext,
  { ftp_login_id: id }: { ftp_login_id: number },
): Promise<Written<FtpLoginView>> {
  const asked = { action: 'ftp-login.delete', kind: 'ftp-login', id } as const;
  return await changeDesired(ctx, asked, async (trx) => {
    const login = await getFtpLogin(trx, id);
    await deleteFtpLogin(trx, id);
    return { details: { before: auditedFtpLogin(login) }, view: () => ftpLoginView(login) };
  });
}
