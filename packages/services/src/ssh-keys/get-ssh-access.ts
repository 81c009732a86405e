import { findSshKeys } from '@innkeeper/db';
import { SSH_KEYS_PER_ACCOUNT } from '@innkeeper/domain';
import { getAccount } from '../accounts/get-account.ts';
import { getHosting } from '../accounts/get-hosting.ts';
import type { ServiceContext } from '../context.ts';
import { type SshKeyView, sshKeyView } from './ssh-key-view.ts';

/** How an account is logged in to over SSH. */
export interface SshAccess {
  /** Whether the account may log in: it has terminal access. */
  is_allowed: boolean;
  user: string;
  /** IP address or host name of the server. */
  address: string;
  /** Oldest first. */
  keys: SshKeyView[];
  limit: number;
}

/** Throws `not_found` outside the actor's scope. */
export async function getSshAccess(
  ctx: ServiceContext,
  { account_id }: { account_id: number },
): Promise<SshAccess> {
  const [{ terminal_access, linux_user }, { server }] = await Promise.all([
    getAccount(ctx, { account_id, include: new Set() }),
    getHosting(ctx, { account_id }),
  ]);
  const keys = await findSshKeys(ctx.db, account_id);
  return {
    is_allowed: terminal_access,
    user: linux_user,
    address: server.address,
    keys: keys.map(sshKeyView),
    limit: SSH_KEYS_PER_ACCOUNT,
  };
}
