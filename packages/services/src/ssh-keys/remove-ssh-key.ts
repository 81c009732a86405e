import { deleteSshKey, getSshKey } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { auditedSshKey, type SshKeyView, sshKeyView } from './ssh-key-view.ts';

/**
 * Removes a public key. Its row is deleted at once, because a node removes every key that is not in the account's spec.
 * Sessions that are logged in stay. Throws `not_found`, and `precondition_failed` while the account is being terminated.
 */
export async function removeSshKey(
  ctx: ServiceContext,
  { ssh_key_id: id }: { ssh_key_id: number },
): Promise<Written<SshKeyView>> {
  const asked = { action: 'ssh-key.delete', kind: 'ssh-key', id } as const;
  return await changeDesired(ctx, asked, async (trx) => {
    const key = await getSshKey(trx, id);
    await deleteSshKey(trx, id);
    return { details: { before: auditedSshKey(key) }, view: () => sshKeyView(key) };
  });
}
