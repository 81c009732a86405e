import type { AccountSpec } from '@innkeeper/protocol';
import type { Change, ChildStatuses, Driver } from '../capabilities/driver.ts';
import type { Host } from '../capabilities/host.ts';
import { HostError } from '../node/host-error.ts';
import { runStep } from '../node/step-signal.ts';

/** Checked before every step of a pass. `outdated`: a newer spec has arrived. `stop`: the agent is shutting down. */
export type Permission = 'go' | 'outdated' | 'stop';

export interface PassHooks {
  mayContinue: () => Permission;
  /** Called when a change of the node has become real. */
  onChange: (driver: string, change: Change) => void;
  /** Runs the work once it may change the node. If undefined, the work runs at once. */
  whileChanging?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Aborts the running step, because a newer spec has arrived. */
  signal?: AbortSignal;
}

/** Ends a pass, between two steps or by aborting one. Not a failure. */
export class PassEnded extends Error {
  readonly permission: Exclude<Permission, 'go'>;

  constructor(permission: Exclude<Permission, 'go'>) {
    super(permission);
    this.permission = permission;
  }
}

/** Maximum number of rounds of a driver whose background work finishes quickly. */
const MAX_ROUNDS = 20;

/** The result of one driver. */
export interface Converged {
  readonly changes: number;
  readonly statuses: ChildStatuses;
  readonly note: string;
  /** When background work may have changed something, in ms from now. Undefined while no background work runs. */
  readonly observeAgainMs: number | undefined;
}

/**
 * Converges one driver's part of an account, and observes again to verify it. Throws HostError, PassEnded, or any error
 * of a defective driver.
 */
export async function convergeDriver(
  driver: Driver<unknown>,
  spec: AccountSpec,
  host: Host,
  hooks: PassHooks,
): Promise<Converged> {
  return await runStep(hooks.signal, () => converge(driver, spec, host, hooks)).catch((error: unknown) => {
    // An aborted step may fail with any error. The abort is the cause.
    if (hooks.signal?.aborted === true && !(error instanceof PassEnded)) throw new PassEnded('outdated');
    throw error;
  });
}

async function converge(
  driver: Driver<unknown>,
  spec: AccountSpec,
  host: Host,
  hooks: PassHooks,
): Promise<Converged> {
  const observed = await driver.observe(spec, host);
  const changes = driver.plan(spec, observed);
  if (changes.length === 0) return converged(driver, spec, 0, observed);
  const change = () => makeChanges(changes, driver, spec, host, hooks);
  const { whileChanging } = hooks;
  const made = await (whileChanging === undefined || driver.isShared === true
    ? change()
    : whileChanging(change));
  return converged(driver, spec, made.changes, made.observed);
}

function converged(
  driver: Driver<unknown>,
  spec: AccountSpec,
  changes: number,
  observed: unknown,
): Converged {
  return {
    changes,
    statuses: driver.statuses?.(spec, observed) ?? {},
    note: driver.note?.(spec, observed) ?? '',
    observeAgainMs: driver.observeAgainMs?.(spec, observed),
  };
}

/**
 * Applies the changes and plans again. A driver with background work may have finished some of it already, so its next
 * step may be due at once. For any other driver, a non-empty plan after apply is a failure.
 */
async function makeChanges(
  changes: readonly Change[],
  driver: Driver<unknown>,
  spec: AccountSpec,
  host: Host,
  hooks: PassHooks,
): Promise<{ changes: number; observed: unknown }> {
  const rounds = driver.observeAgainMs === undefined ? 1 : MAX_ROUNDS;
  let made = 0;
  let due = changes;
  for (let round = 1; ; round += 1) {
    for (const change of due) {
      ensurePermitted(hooks);
      await driver.apply(change, spec, host);
      made += 1;
      hooks.onChange(driver.name, change);
    }
    const observed = await driver.observe(spec, host);
    due = driver.plan(spec, observed);
    if (due.length === 0) return { changes: made, observed };
    if (round < rounds) continue;
    const steps = due.map((change) => change.summary).join('; ');
    throw new HostError('Failed', `The change was applied, but these steps are still needed: ${steps}.`);
  }
}

export function ensurePermitted(hooks: Pick<PassHooks, 'mayContinue'>): void {
  const permission = hooks.mayContinue();
  if (permission !== 'go') throw new PassEnded(permission);
}
