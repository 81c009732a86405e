import { isAccountUid, LINUX_USER_PATTERN } from '@innkeeper/domain';
import { refused } from './host-error.ts';

declare const checked: unique symbol;

/** Who an account is on the node. `ownerNamed` alone makes one, so every tool of the host gets a checked one. */
export interface Owner {
  readonly name: string;
  readonly uid: number;
  readonly [checked]: true;
}

/**
 * The boundary check of the host: whatever a spec said, nothing is done for another uid than an account's, or under a
 * name that is not an account's. Throws HostError `Refused`.
 */
export function ownerNamed(name: string, uid: number): Owner {
  assertAccountUid(uid);
  if (!LINUX_USER_PATTERN.test(name)) throw refused('The name is not that of an account.');
  return { name, uid } as Owner;
}

/** As ownerNamed, for the uid alone. */
export function assertAccountUid(uid: number): void {
  if (!isAccountUid(uid)) throw refused(`The uid ${uid} is not that of an account.`);
}
