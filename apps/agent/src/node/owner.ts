import { isAccountUid, LINUX_USER_PATTERN } from '@innkeeper/domain';
import { refused } from './host-error.ts';

declare const checked: unique symbol;

/** The identity of an account on the node. Only `ownerNamed` creates one, so every host tool receives a checked one. */
export interface Owner {
  readonly name: string;
  readonly uid: number;
  readonly [checked]: true;
}

/**
 * The boundary check of the host: whatever a spec contains, the agent acts only for uids and names of accounts. Throws
 * HostError `Refused`.
 */
export function ownerNamed(name: string, uid: number): Owner {
  assertAccountUid(uid);
  if (!LINUX_USER_PATTERN.test(name)) throw refused('The name is not that of an account.');
  return { name, uid } as Owner;
}

/** Like ownerNamed, for the uid alone. */
export function assertAccountUid(uid: number): void {
  if (!isAccountUid(uid)) throw refused(`The uid ${uid} is not that of an account.`);
}
