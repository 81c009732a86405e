import type { NewSshKey } from '@innkeeper/contract';
import { findSshKeys, insertSshKey } from '@innkeeper/db';
import {
  DomainError,
  invalidField,
  isPrintableLine,
  readSshKey,
  SSH_KEY_NAME_MAX_CHARACTERS,
  SSH_KEYS_PER_ACCOUNT,
} from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { fingerprintOf } from './fingerprint.ts';
import { auditedSshKey, type SshKeyView, sshKeyView } from './ssh-key-view.ts';

/**
 * Adds a public key that may log in to an account. Its name is by default the key's comment. Throws `not_found`, `invalid`
 * for a key that the account has, `precondition_failed` while the account is being terminated, and `quota_exceeded`.
 */
export async function createSshKey(
  ctx: ServiceContext,
  { account_id, public_key: typed, name }: NewSshKey & { account_id: number },
): Promise<Written<SshKeyView>> {
  const key = readSshKey(typed);
  if (typeof key === 'string') throw invalidField('public_key', 'The public key field format is invalid.');
  const asked = { action: 'ssh-key.create', kind: 'account', id: account_id } as const;
  return await changeDesired(ctx, asked, async (trx, account, now) => {
    const known = await findSshKeys(trx, account.id);
    if (known.length >= SSH_KEYS_PER_ACCOUNT)
      throw new DomainError('quota_exceeded', `SSH key limit reached (${SSH_KEYS_PER_ACCOUNT}).`);
    const row = {
      account_id: account.id,
      name: name ?? nameFrom(key.comment),
      public_key: key.line,
      fingerprint: fingerprintOf(key.line),
      created_at: now,
    };
    const created = { ...row, id: await insertSshKey(trx, row) };
    return {
      target: `ssh-key:${created.id}`,
      details: { after: auditedSshKey(created) },
      view: () => sshKeyView(created),
    };
  });
}

function nameFrom(comment: string): string {
  const name = [...comment].slice(0, SSH_KEY_NAME_MAX_CHARACTERS).join('');
  return name !== '' && isPrintableLine(name) ? name : 'SSH key';
}
