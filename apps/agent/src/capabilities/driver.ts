import type { AccountSpec, AppStatusReport, CertificateStatus } from '@innkeeper/protocol';
import type { Host } from './host.ts';

/** One step towards the spec, as data. `summary` is for logs and holds no secret. */
export interface Change {
  readonly kind: string;
  readonly summary: string;
}

/** What a driver says of some of an account's children, as the report has it. */
export interface ChildStatuses {
  readonly apps?: readonly AppStatusReport[];
  /** By domain. */
  readonly certificates?: ReadonlyMap<number, CertificateStatus>;
  /** What is to be said of databases that work, by database. */
  readonly databases?: ReadonlyMap<number, string>;
}

/**
 * One concern of an account on the node. The reconciler calls observe, plan, apply for every change in
 * order, then observe and plan again: a plan that is not empty then is a failure of the driver.
 * The same three methods create, change, suspend, repair and remove: the spec's desired_state decides.
 *
 * What takes longer than a step (a build, an authority's answer) is started by `apply` and goes on by itself: a
 * plan is empty while it does, `statuses` tells how far it is, and `lookAgainMs` when to look next. So a
 * generation is applied while an app is built, and nothing that comes meanwhile has to wait for it.
 */
export interface Driver<Observed, C extends Change = Change> {
  readonly name: string;
  /**
   * Drivers that must have succeeded before this one. Left out: towards `active` all before it, in a suspension
   * none. Towards `absent` the first failure ends the pass.
   */
  readonly buildsOn?: readonly string[];
  /** Its changes of many accounts are one write: they wait for each other there, and for no turn before it. */
  readonly isShared?: boolean;
  /**
   * It works below the home, where the owner may have spoilt what it needs. In a suspension its failure is reported and
   * retried, and the suspension counts as applied: other drivers make it true.
   */
  readonly worksInHome?: boolean;
  /** Only reads. Throws HostError. */
  observe(spec: AccountSpec, host: Host): Promise<Observed>;
  /** Pure. Throws HostError `Conflict` when a foreign object stands in the way. */
  plan(spec: AccountSpec, observed: Observed): C[];
  /** Makes one change. Safe to repeat after a crash in its middle. Throws HostError. */
  apply(change: C, spec: AccountSpec, host: Host): Promise<void>;
  /** What to report of children, from what was observed last. Pure. */
  statuses?(spec: AccountSpec, observed: Observed): ChildStatuses;
  /** What an operator should know although all is as it should be; empty for nothing. Pure. */
  note?(spec: AccountSpec, observed: Observed): string;
  /** How soon something may have changed by itself, ms; undefined while nothing is under way. Pure. */
  lookAgainMs?(spec: AccountSpec, observed: Observed): number | undefined;
}
