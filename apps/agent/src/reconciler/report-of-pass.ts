import type {
  AccountReport,
  AccountSpec,
  AppStatusReport,
  Condition,
  DatabaseStatus,
  DomainStatus,
  ReportOutcome,
} from '@innkeeper/protocol';
import type { Pass } from './pass.ts';

/** The drivers that decide the reported statuses of domains and of databases. */
const WEB_DRIVER = 'web';
const DATABASES_DRIVER = 'databases';

/** Builds the report of a completed pass for the control plane. */
export function reportOfPass(spec: AccountSpec, pass: Pass): AccountReport {
  return {
    account_id: spec.account_id,
    observed_generation: spec.generation,
    outcome: outcomeOf(spec, pass),
    conditions: pass.conditions,
    domains: domainStatuses(spec, pass),
    databases: databaseStatuses(spec, pass),
    apps: appStatuses(pass),
    driver_ms: pass.driverMs,
  };
}

const MOVING: ReadonlySet<AppStatusReport['status']> = new Set([
  'installing',
  'building',
  'updating',
  'starting',
  'stopping',
]);

/** Returns whether the account matches its spec and no background work runs: every later change is drift. */
export function isAtRest({ outcome, apps, domains }: AccountReport): boolean {
  return (
    (outcome === 'applied' || outcome === 'absent') &&
    !apps.some(({ status }) => MOVING.has(status)) &&
    !domains.some(({ certificate }) => certificate?.status === 'pending')
  );
}

/** A failure that needs a human or another spec takes precedence over a retryable failure. */
function outcomeOf(spec: AccountSpec, { conditions: all, tolerated }: Pass): ReportOutcome {
  const conditions = all.filter(({ type }) => !tolerated.has(type));
  if (conditions.some((condition) => condition.reason !== 'Applied' && condition.reason !== 'Retrying'))
    return 'failed';
  if (conditions.some((condition) => condition.reason === 'Retrying')) return 'progressing';
  return spec.desired_state === 'absent' ? 'absent' : 'applied';
}

/**
 * Returns one status for each app. For an app whose files are in place (`running`), the status comes from a later
 * driver, which runs its program. The serving release and the commit come from the driver that activated it,
 * unless the program runs another release.
 */
function appStatuses({ statuses }: Pass): AppStatusReport[] {
  const apps = new Map<number, AppStatusReport>();
  for (const status of statuses.apps) {
    const before = apps.get(status.app_id);
    if (before === undefined) apps.set(status.app_id, status);
    else if (before.status === 'running')
      apps.set(status.app_id, {
        ...status,
        release_id: status.release_id ?? before.release_id,
        ...(before.commit === undefined ? {} : { commit: before.commit }),
      });
  }
  return [...apps.values()];
}

/**
 * Returns known statuses only. The result is empty while the web driver did not run, or will retry. A failure that concerns
 * some domains leaves the status of the others unaffected.
 */
function domainStatuses(spec: AccountSpec, pass: Pass): DomainStatus[] {
  const web = settledCondition(pass, WEB_DRIVER);
  if (web === undefined) return [];
  const concerned = pass.concerns[WEB_DRIVER];
  return spec.domains.map(({ domain_id, desired_state }) => {
    const certificate = pass.statuses.certificates.get(domain_id) ?? null;
    const report = { domain_id, reason: '', certificate };
    if (web.reason !== 'Applied' && (concerned?.includes(domain_id) ?? true))
      return { ...report, status: 'failed', reason: web.message };
    if (desired_state === 'absent' || spec.desired_state === 'absent') return { ...report, status: 'absent' };
    return { ...report, status: spec.desired_state === 'suspended' ? 'suspended' : 'active' };
  });
}

/** A failure that concerns some databases leaves the status of the others unaffected. */
function databaseStatuses(spec: AccountSpec, pass: Pass): DatabaseStatus[] {
  const condition = settledCondition(pass, DATABASES_DRIVER);
  if (condition === undefined) return [];
  const concerned = pass.concerns[DATABASES_DRIVER];
  return spec.databases.map(({ database_id, desired_state }) => {
    if (condition.reason !== 'Applied' && (concerned?.includes(database_id) ?? true))
      return { database_id, status: 'failed', reason: condition.message };
    const isGone = desired_state === 'absent' || spec.desired_state === 'absent';
    const status = isGone ? 'absent' : spec.desired_state === 'suspended' ? 'suspended' : 'active';
    const reason = status === 'active' ? pass.statuses.databases.get(database_id) : undefined;
    return { database_id, status, reason: reason ?? '' };
  });
}

/** Returns the result of a driver that ran. Undefined while the driver did not run, or will retry. */
function settledCondition(pass: Pass, driver: string): Condition | undefined {
  const condition = pass.conditions.find(({ type }) => type === driver);
  return condition?.reason === 'Retrying' || !(driver in pass.driverMs) ? undefined : condition;
}
