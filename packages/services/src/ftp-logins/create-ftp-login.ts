import type { NewFtpLogin } from '@innkeeper/contract';
import { findFtpLogins, getFtpLoginLimit, insertFtpLogin } from '@innkeeper/db';
import { DomainError, ftpLoginNameFor, invalidField } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { passwordHashesOf } from '../passwords/password-hashes.ts';
import { auditedFtpLogin, type FtpLoginView, ftpLoginView } from './ftp-login-view.ts';

/**
 * Adds a login for FTP and SFTP to an account: with a password, keys, or both. Throws `not_found`, `invalid` for a name
 * that is taken and for a login without a password and keys, `precondition_failed` while the account is being terminated,
 * and `quota_exceeded` at the limit of the account's package.
 */
export async function createFtpLogin(
  ctx: ServiceContext,
  { account_id, suffix, folder, password, public_keys = [] }: NewFtpLogin & { account_id: number },
): Promise<Written<FtpLoginView>> {
  if (password === undefined && public_keys.length === 0) throw noWayToLogIn();
  const hash = password === undefined ? null : await passwordHashesOf(ctx).linux(password);
  const asked = { action: 'ftp-login.create', kind: 'account', id: account_id } as const;
  return await changeDesired(ctx, asked, async (trx, account, now) => {
    const limit = await getFtpLoginLimit(trx, account.package_id);
    const known = await findFtpLogins(trx, account.id);
    if (known.length >= limit) throw new DomainError('quota_exceeded', `FTP login limit reached (${limit}).`);
    const row = {
      account_id: account.id,
      name: ftpLoginNameFor(account.linux_user, suffix),
      folder,
      password_hash: hash,
      public_keys: public_keys.join('\n'),
      created_at: now,
      updated_at: now,
    };
    const created = { ...row, id: await insertFtpLogin(trx, row) };
    return {
      target: `ftp-login:${created.id}`,
      details: { after: auditedFtpLogin(created) },
      view: () => ftpLoginView(created),
    };
  });
}

export const noWayToLogIn = () =>
  invalidField('password', 'The password field is required when public keys is not present.');
