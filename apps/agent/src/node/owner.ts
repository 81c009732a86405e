import { isAccountUid, LINUX_USER_PATTERN } from '@innkeeper/domain';
import { refused } from './host-error.ts';

/** Who an account is on the node. */
export interface Owner {
  readonly name: string;
  readonly uid: number;
}

/**
 * The boundary check of every host tool: whatever a spec said, nothing is done for another uid than an
 * account's, or under a name that is not an account's. Throws HostError `Refused`.
 */
export function assertOwner(owner: Owner): void {
  assertAccountUid(owner.uid);
  if (!LINUX_USER_PATTERN.test(owner.name)) throw refused('The name is not that of an account.');
}

/** As assertOwner, for the uid alone. */
export function assertAccountUid(uid: number): void {
  if (!isAccountUid(uid)) throw refused(`The uid ${uid} is not that of an account.`);
}
