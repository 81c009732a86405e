import type { FtpLoginChange } from '@innkeeper/contract';
import { getFtpLogin, storeFtpLogin } from '@innkeeper/db';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { passwordHashesOf } from '../passwords/password-hashes.ts';
import { noWayToLogIn } from './create-ftp-login.ts';
import { auditedFtpLogin, type FtpLoginView, ftpLoginView } from './ftp-login-view.ts';

/**
 * Changes the folder, the password and the keys of a login. Its open sessions end. Throws `not_found`, `invalid` for a
 * login that would have neither a password nor a key, and `precondition_failed` while the account is being terminated.
 */
export async function changeFtpLogin(
  ctx: ServiceContext,
  change: FtpLoginChange & { ftp_login_id: number },
): Promise<Written<FtpLoginView>> {
  const { ftp_login_id: id, folder, password, removes_password = false, public_keys = [] } = change;
  const hash = password === undefined ? undefined : await passwordHashesOf(ctx).linux(password);
  const asked = { action: 'ftp-login.update', kind: 'ftp-login', id } as const;
  return await changeDesired(ctx, asked, async (trx, _account, now) => {
    const login = await getFtpLogin(trx, id);
    const password_hash = hash ?? (removes_password ? null : login.password_hash);
    const wanted = { folder, password_hash, public_keys: public_keys.join('\n') };
    if (password_hash === null && public_keys.length === 0) throw noWayToLogIn();
    const isSame =
      login.folder === folder &&
      login.password_hash === password_hash &&
      login.public_keys === wanted.public_keys;
    const next = { ...login, ...wanted };
    if (!isSame) await storeFtpLogin(trx, id, { ...wanted, updated_at: now });
    return {
      details: isSame
        ? null
        : {
            name: login.name,
            ...changedFields(auditedFtpLogin(login), auditedFtpLogin(next)),
            ...(hash === undefined ? {} : { replaced: ['password'] }),
          },
      view: () => ftpLoginView(next),
    };
  });
}
