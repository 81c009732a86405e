import type { AccountSpec } from '@innkeeper/protocol';
import type { Driver } from './driver.ts';

const creationOrder: readonly Driver<unknown>[] = [];

/** The drivers in the order in which they take an account to its desired state. */
export function driversFor(desiredState: AccountSpec['desired_state']): readonly Driver<unknown>[] {
  return desiredState === 'active' ? creationOrder : creationOrder.toReversed();
}
