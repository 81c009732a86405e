import type { AccountSpec, AppStatusReport, CertificateStatus } from '@innkeeper/protocol';
import type { Host } from './host.ts';

/** One step towards the spec, as data. `summary` is written to logs and contains no secret. */
export interface Change {
  readonly kind: string;
  readonly summary: string;
}

/** Statuses of an account's children from one driver, as the report contains them. */
export interface ChildStatuses {
  readonly apps?: readonly AppStatusReport[];
  /** Keyed by domain id. */
  readonly certificates?: ReadonlyMap<number, CertificateStatus>;
  /** Messages about databases that work, keyed by database id. */
  readonly databases?: ReadonlyMap<number, string>;
}

/**
 * A driver owns one concern of an account on the node. The reconciler calls observe, plan, and apply for every change
 * in order. Then it calls observe and plan again: if that plan is not empty, the driver has failed. The same three
 * methods create, change, suspend, repair and remove. The spec's desired_state decides which.
 *
 * Work that takes longer than a step (a build, an authority's answer) is started by `apply` and runs in the background.
 * While it runs, the plan is empty, `statuses` reports its progress, and `observeAgainMs` says when to observe again. So a
 * generation counts as applied while an app is still being built, and later changes do not wait for the build.
 */
export interface Driver<Observed, C extends Change = Change> {
  readonly name: string;
  /**
   * Drivers that must have succeeded before this one. Default towards `active`: all drivers before it. Default in a
   * suspension: none. Towards `absent` the first failure ends the pass.
   */
  readonly buildsOn?: readonly string[];
  /** Drivers of `buildsOn` whose failure for some of their children does not stop this one. */
  readonly partlyEnough?: readonly string[];
  /**
   * The driver writes the changes of many accounts together. Concurrent accounts wait for each other in that shared
   * write, so they do not wait for a turn before it.
   */
  readonly isShared?: boolean;
  /**
   * The driver works below the home, where the account's owner may have broken what it needs. In a suspension its
   * failure is reported and retried, and the suspension still counts as applied: other drivers enforce it.
   */
  readonly worksInHome?: boolean;
  /** Only reads. Throws HostError. */
  observe(spec: AccountSpec, host: Host): Promise<Observed>;
  /** Pure. Throws HostError `Conflict` when a foreign object is in the way. */
  plan(spec: AccountSpec, observed: Observed): C[];
  /** Makes one change. Safe to repeat after a crash in the middle. Throws HostError. */
  apply(change: C, spec: AccountSpec, host: Host): Promise<void>;
  /** Statuses of children for the report, from the last observation. Pure. */
  statuses?(spec: AccountSpec, observed: Observed): ChildStatuses;
  /** Returns a note for the operator when the account is in its desired state; empty for none. Pure. */
  note?(spec: AccountSpec, observed: Observed): string;
  /** Milliseconds until background work may have changed something; undefined while no work is under way. Pure. */
  observeAgainMs?(spec: AccountSpec, observed: Observed): number | undefined;
}
