import { invalidField, passwordRefusal } from '@innkeeper/domain';
import { hashLinuxPassword } from '../passwords/linux-password.ts';
import { hashPanelPassword } from '../passwords/panel-password.ts';

export interface AccountPasswordHashes {
  /** argon2id, for the end user's panel login. */
  panel: string;
  /** crypt(3), for the Linux user. */
  linux: string;
}

/**
 * The hashes that an account keeps of its password. Takes some 40 ms, so it is done before the transaction
 * that holds locks. Throws `invalid` for a password that no Linux login would take.
 */
export async function hashAccountPassword(password: string): Promise<AccountPasswordHashes> {
  const refusal = passwordRefusal(password);
  if (refusal !== undefined) throw invalidField('password', refusal);
  const [panel, linux] = await Promise.all([hashPanelPassword(password), hashLinuxPassword(password)]);
  return { panel, linux };
}
