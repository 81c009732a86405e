import type { AccountSpec, AppStatusReport, CertificateStatus, Condition } from '@innkeeper/protocol';
import { ownerOf } from '../capabilities/claim.ts';
import type { ChildStatuses, Driver } from '../capabilities/driver.ts';
import type { Host } from '../capabilities/host.ts';
import { DISK_FULL, isDiskFull } from '../node/full-disks.ts';
import { HostError } from '../node/host-error.ts';
import {
  convergeDriver,
  ensurePermitted,
  PassEnded,
  type PassHooks,
  type Permission,
} from './converge-driver.ts';

/**
 * One pass over one account. It runs every driver, in the order of the account's desired state.
 *
 * Towards `active` and `absent`, a driver relies on the drivers before it. After a failure, every later driver is
 * skipped, unless it declares which drivers it depends on. A suspension takes things away one by one, and takes away
 * all it can: a web server that fails to reload must not keep processes alive. There, only the failure of a declared
 * dependency stops a driver. Drivers that work below the home meet damage made by its owner. Their failures are
 * reported and retried, and the suspension is complete without them.
 *
 * When things are taken away, a later driver can undo what an earlier one observed (a user that had to be created
 * first, a process that wrote once more). So those passes repeat until a round changes nothing. That round is the
 * proof.
 */
export interface Pass {
  readonly conditions: Condition[];
  /** Drivers whose failure does not prevent the account's desired state. */
  readonly tolerated: ReadonlySet<string>;
  /** Ids of the children that a driver's failure is about. No entry when it is about all of them. */
  readonly concerns: Readonly<Record<string, readonly number[]>>;
  /** Statuses of children that the drivers reported in the last round. */
  readonly statuses: Required<ChildStatuses>;
  /** When background work may have changed something, in ms from now. Undefined while no background work runs. */
  readonly observeAgainMs: number | undefined;
  /** Milliseconds spent in each driver. */
  readonly driverMs: Record<string, number>;
  readonly changes: number;
  /** Whether a retry may succeed for at least one failure. */
  readonly retryable: boolean;
  /** Failures that are not HostErrors: defects of drivers. */
  readonly defects: { driver: string; error: unknown }[];
}

const MAX_ROUNDS = 3;
const MESSAGE_LENGTH = 2_000;

export interface PassDeps extends PassHooks {
  host: Host;
  now: () => number;
}

/**
 * Returns the pass, or the reason why it ended early. No driver runs when the Linux user does not belong to the
 * account, whatever the desired state: drivers act by uid and by name, and both belong to a foreign user then.
 */
export async function runPass(
  spec: AccountSpec,
  drivers: readonly Driver<unknown>[],
  deps: PassDeps,
): Promise<Pass | Exclude<Permission, 'go'>> {
  const stranger = await deps.host.accounts.findStranger(ownerOf(spec), spec.account_id);
  if (stranger !== undefined) return passAgainst(stranger);
  const driverMs: Record<string, number> = {};
  let total = 0;
  for (let round = 1; ; round += 1) {
    const result = await runRound(spec, drivers, deps, driverMs);
    if (typeof result === 'string') return result;
    total += result.changes;
    const settled = spec.desired_state === 'active' || result.changes === 0 || result.failed;
    if (!settled && round < MAX_ROUNDS) continue;
    if (settled) return { ...result, driverMs, changes: total };
    const conditions = result.conditions.map((condition) =>
      result.changed.has(condition.type) ? restless(condition.type) : condition,
    );
    return { ...result, conditions, driverMs, changes: total, retryable: true };
  }
}

function passAgainst(stranger: string): Pass {
  return {
    conditions: [{ type: 'user', reason: 'Conflict', message: stranger }],
    tolerated: new Set(),
    concerns: {},
    statuses: { apps: [], certificates: new Map(), databases: new Map() },
    observeAgainMs: undefined,
    driverMs: {},
    changes: 0,
    retryable: false,
    defects: [],
  };
}

interface Round extends Omit<Pass, 'driverMs'> {
  readonly failed: boolean;
  /** Drivers that applied a change. */
  readonly changed: ReadonlySet<string>;
}

async function runRound(
  spec: AccountSpec,
  drivers: readonly Driver<unknown>[],
  deps: PassDeps,
  driverMs: Record<string, number>,
): Promise<Round | Exclude<Permission, 'go'>> {
  const conditions: Condition[] = [];
  const concerns: Record<string, readonly number[]> = {};
  const defects: Pass['defects'] = [];
  const tolerated = new Set(
    drivers.flatMap(({ name, worksInHome }) =>
      spec.desired_state === 'suspended' && worksInHome === true ? [name] : [],
    ),
  );
  const changed = new Set<string>();
  const apps: AppStatusReport[] = [];
  const certificates = new Map<number, CertificateStatus>();
  const databases = new Map<number, string>();
  const delays: number[] = [];
  let changes = 0;
  let retryable = false;
  const count: PassHooks['onChange'] = (driver, change) => {
    changes += 1;
    changed.add(driver);
    deps.onChange(driver, change);
  };
  for (const driver of drivers) {
    const blocker = blockerOf(driver, spec, conditions, concerns);
    if (blocker !== undefined) {
      conditions.push(waitingFor(driver.name, blocker));
      continue;
    }
    const startedAt = deps.now();
    try {
      ensurePermitted(deps);
      const { statuses, note, observeAgainMs } = await convergeDriver(driver, spec, deps.host, {
        ...deps,
        onChange: count,
      });
      apps.push(...(statuses.apps ?? []));
      for (const [domainId, status] of statuses.certificates ?? []) certificates.set(domainId, status);
      for (const [databaseId, reason] of statuses.databases ?? []) databases.set(databaseId, reason);
      if (observeAgainMs !== undefined) delays.push(observeAgainMs);
      conditions.push({ type: driver.name, reason: 'Applied', message: note.slice(0, MESSAGE_LENGTH) });
    } catch (error) {
      if (error instanceof PassEnded) return error.permission;
      const failure = conditionOf(driver.name, error);
      conditions.push(failure);
      retryable ||= failure.reason === 'Retrying';
      if (!(error instanceof HostError) && !isDiskFull(error)) defects.push({ driver: driver.name, error });
      else if (error instanceof HostError && error.concerns.length > 0)
        concerns[driver.name] = error.concerns;
    } finally {
      driverMs[driver.name] = (driverMs[driver.name] ?? 0) + deps.now() - startedAt;
    }
  }
  const failed = conditions.some(({ type, reason }) => reason !== 'Applied' && !tolerated.has(type));
  const statuses = { apps, certificates, databases };
  const observeAgainMs = delays.length === 0 ? undefined : Math.min(...delays);
  return {
    conditions,
    tolerated,
    concerns,
    statuses,
    observeAgainMs,
    changes,
    changed,
    retryable,
    failed,
    defects,
  };
}

/** Returns the failure that prevents a driver from running in this round. */
function blockerOf(
  driver: Driver<unknown>,
  spec: AccountSpec,
  conditions: readonly Condition[],
  concerns: Pass['concerns'],
): Condition | undefined {
  const failures = conditions.filter((condition) => condition.reason !== 'Applied');
  if (spec.desired_state === 'absent') return failures[0];
  const { buildsOn, partlyEnough } = driver;
  if (spec.desired_state === 'active' && buildsOn === undefined) return failures[0];
  return failures.find(
    ({ type }) => buildsOn?.includes(type) && !(concerns[type] !== undefined && partlyEnough?.includes(type)),
  );
}

function conditionOf(driver: string, error: unknown): Condition {
  if (isDiskFull(error)) return { type: driver, reason: 'Retrying', message: DISK_FULL };
  if (!(error instanceof HostError))
    return {
      type: driver,
      reason: 'Retrying',
      message: 'An unexpected error occurred. See the log of the agent.',
    };
  const reason = error.retryable ? 'Retrying' : error.reason;
  return { type: driver, reason, message: error.message.slice(0, MESSAGE_LENGTH) };
}

function waitingFor(driver: string, blocker: Condition): Condition {
  const reason = blocker.reason === 'Retrying' ? 'Retrying' : 'Failed';
  return {
    type: driver,
    reason,
    message: `Not attempted, because ${blocker.type} failed and must come first.`,
  };
}

function restless(driver: string): Condition {
  const message = `Another program undoes the changes: ${MAX_ROUNDS} rounds in a row had changes to apply.`;
  return { type: driver, reason: 'Retrying', message };
}
