import { findFtpLogins, getFtpLoginLimit, getServerFingerprints } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { getAccount } from '../accounts/get-account.ts';
import { getHosting } from '../accounts/get-hosting.ts';
import type { ServiceContext } from '../context.ts';
import { type FtpLoginView, ftpLoginView } from './ftp-login-view.ts';

/** The additional logins of an account, and what a program needs to use them. */
export interface FtpAccess {
  /** IP address or host name of the server. */
  address: string;
  /** The account's user: names of logins begin with it and `_`. */
  user: string;
  /** Of the SSH host key. Null: the server has not reported it. */
  ssh_fingerprint: string | null;
  /** SHA-256 of the certificate for FTP. Null: the server has no FTP yet. */
  ftp_fingerprint: string | null;
  /** By name. */
  logins: FtpLoginView[];
  limit: number;
}

/** Throws `not_found` outside the actor's scope. */
export async function getFtpAccess(
  ctx: ServiceContext,
  { account_id }: { account_id: number },
): Promise<FtpAccess> {
  const [account, { server }] = await Promise.all([
    getAccount(ctx, { account_id, include: new Set() }),
    getHosting(ctx, { account_id }),
  ]);
  const [logins, fingerprints, limit] = await Promise.all([
    findFtpLogins(ctx.db, account_id),
    getServerFingerprints(ctx.db, account_id),
    getFtpLoginLimit(ctx.db, account.package.id),
  ]);
  return {
    address: server.address,
    user: account.linux_user,
    ...fingerprints,
    logins: logins.map(ftpLoginView),
    limit,
  };
}

/** One login of an account. Throws `not_found`. */
export async function getFtpLoginOf(
  ctx: ServiceContext,
  { account_id, ftp_login_id: id }: { account_id: number; ftp_login_id: number },
): Promise<{ access: FtpAccess; login: FtpLoginView }> {
  const access = await getFtpAccess(ctx, { account_id });
  const login = access.logins.find((one) => one.id === id);
  if (login === undefined) throw new DomainError('not_found', `There is no FTP login ${id}.`);
  return { access, login };
}
