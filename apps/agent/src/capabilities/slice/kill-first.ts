import type { AccountSpec } from '@innkeeper/protocol';
import { observeClaim, ownerOf } from '../claim.ts';
import type { Host } from '../host.ts';

/**
 * Kills the processes of an account that is to be suspended or removed, before its drivers run. The drivers then remove
 * everything that would start processes again, and prove that nothing runs. Processes of a uid that belongs to somebody
 * else are not killed.
 */
export async function killFirst(spec: AccountSpec, host: Host): Promise<void> {
  const { uidIsForeign } = await observeClaim(spec, host);
  if (!uidIsForeign) await host.processes.strike(ownerOf(spec));
}
