import type { AccountSpec } from '@innkeeper/protocol';
import { type Owner, ownerNamed } from '../node/owner.ts';
import type { Host } from './host.ts';
import { obstacleFor } from './user/account-tables.ts';
import type { AccountEntries } from './user/host.ts';

/**
 * Ownership of the spec's name and uid on this node. If the uid or the name belongs to somebody else, the account
 * cannot be created. When such an account is suspended or removed, everything under that uid or name is left alone,
 * because it never belonged to the account.
 */
export interface Claim {
  readonly entries: AccountEntries;
  /** Reason why the account cannot be created; undefined when it can. */
  readonly obstacle: string | undefined;
  readonly uidIsForeign: boolean;
  readonly nameIsForeign: boolean;
}

export function ownerOf(spec: AccountSpec): Owner {
  return ownerNamed(spec.linux_user, spec.uid);
}

export async function observeClaim(spec: AccountSpec, host: Host): Promise<Claim> {
  const owner = ownerOf(spec);
  const entries = await host.accounts.find(owner);
  const { passwd, groups, elsewhere } = entries;
  const stranger = await host.accounts.findStranger(owner, spec.account_id);
  const obstacle =
    obstacleFor(entries, owner) ??
    stranger ??
    (elsewhere ? `The user ${owner.name} or uid ${owner.uid} exists in another name service.` : undefined);
  return {
    entries,
    obstacle,
    uidIsForeign:
      elsewhere ||
      stranger !== undefined ||
      passwd.some((entry) => entry.uid === owner.uid && entry.name !== owner.name),
    nameIsForeign:
      elsewhere ||
      stranger !== undefined ||
      passwd.some((entry) => entry.name === owner.name && entry.uid !== owner.uid) ||
      groups.some((entry) => entry.name === owner.name && entry.gid !== owner.uid),
  };
}
