import type { AccountSpec } from '@innkeeper/protocol';
import { observeClaim, ownerOf } from '../claim.ts';
import type { Host } from '../host.ts';

/**
 * Kills what runs of an account that is to be suspended or removed, before its drivers take their turn. They end what
 * would start it again, and prove that nothing runs. Nothing is killed of a uid that is somebody else's.
 */
export async function killFirst(spec: AccountSpec, host: Host): Promise<void> {
  const { uidIsForeign } = await observeClaim(spec, host);
  if (!uidIsForeign) await host.processes.strike(ownerOf(spec));
}
