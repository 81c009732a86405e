import type { AccountSpec } from '@innkeeper/protocol';
import type { Change, ChildStatuses, Driver } from '../capabilities/driver.ts';
import type { Host } from '../capabilities/host.ts';
import { HostError } from '../node/host-error.ts';
import { runStep } from '../node/step-signal.ts';

/** Asked before every step of a pass. `outdated`: a newer spec has come. `stop`: the agent is ending. */
export type Permission = 'go' | 'outdated' | 'stop';

export interface PassHooks {
  mayContinue: () => Permission;
  /** A change of the node has become real. */
  onChange: (driver: string, change: Change) => void;
  /** Lets the work start when it is its turn to change the node; at once where there is no such rule. */
  whileChanging?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends the step under way: a newer spec has come. */
  signal?: AbortSignal;
}

/** Ends a pass, between two steps or in one that was ended; not a failure. */
export class PassEnded extends Error {
  readonly permission: Exclude<Permission, 'go'>;

  constructor(permission: Exclude<Permission, 'go'>) {
    super(permission);
    this.permission = permission;
  }
}

/** Steps that can follow upon each other while work that goes on by itself is quick. */
const MAX_ROUNDS = 20;

/** What a driver came to. */
export interface Converged {
  readonly changes: number;
  readonly statuses: ChildStatuses;
  readonly note: string;
  /** When something may have changed by itself, ms from now; undefined while nothing is under way. */
  readonly lookAgainMs: number | undefined;
}

/**
 * Makes one driver's part of an account true and looks whether it is. Throws HostError, PassEnded, or
 * whatever a defective driver throws.
 */
export async function convergeDriver(
  driver: Driver<unknown>,
  spec: AccountSpec,
  host: Host,
  hooks: PassHooks,
): Promise<Converged> {
  return await runStep(hooks.signal, () => converge(driver, spec, host, hooks)).catch((error: unknown) => {
    // Whatever a step says that was ended, it says because of that.
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
    lookAgainMs: driver.lookAgainMs?.(spec, observed),
  };
}

/**
 * Makes the changes, and what they call for. Of a driver whose work goes on by itself, some may be over already and its next
 * step be due; of any other, a step that is left is a failure.
 */
async function makeChanges(
  changes: readonly Change[],
  driver: Driver<unknown>,
  spec: AccountSpec,
  host: Host,
  hooks: PassHooks,
): Promise<{ changes: number; observed: unknown }> {
  const rounds = driver.lookAgainMs === undefined ? 1 : MAX_ROUNDS;
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
