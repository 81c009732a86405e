import type { AccountSpec } from '@innkeeper/protocol';
import type { Host } from '../host/host.ts';

/** One step towards the spec, as data. `summary` is for logs and holds no secret. */
export interface Change {
  readonly kind: string;
  readonly summary: string;
}

/**
 * One concern of an account on the node. The reconciler calls observe, plan, apply for every change in
 * order, then observe and plan again: a plan that is not empty then is a failure of the driver.
 * The same three methods create, change, suspend, repair and remove: the spec's desired_state decides.
 */
export interface Driver<Observed, C extends Change = Change> {
  readonly name: string;
  /**
   * Drivers that must have succeeded before this one. Left out: towards `active` all before it, in a suspension
   * none. Towards `absent` the first failure ends the pass.
   */
  readonly buildsOn?: readonly string[];
  /** Only reads. Throws HostError. */
  observe(spec: AccountSpec, host: Host): Promise<Observed>;
  /** Pure. Throws HostError `Conflict` when a foreign object stands in the way. */
  plan(spec: AccountSpec, observed: Observed): C[];
  /** Makes one change. Safe to repeat after a crash in its middle. Throws HostError. */
  apply(change: C, spec: AccountSpec, host: Host): Promise<void>;
}
