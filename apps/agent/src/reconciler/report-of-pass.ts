import type { AccountReport, AccountSpec, Condition, DomainStatus, ReportOutcome } from '@innkeeper/protocol';
import type { Pass } from './pass.ts';

/** The driver that decides what is said of domains. */
const WEB_DRIVER = 'web';

/** What the control plane is told of a pass that ran to its end. */
export function reportOfPass(spec: AccountSpec, pass: Pass): AccountReport {
  return {
    account_id: spec.account_id,
    observed_generation: spec.generation,
    outcome: outcomeOf(spec, pass.conditions),
    conditions: pass.conditions,
    domains: domainStatuses(spec, pass),
    databases: [],
    apps: [],
    driver_ms: pass.driverMs,
  };
}

/** A failure that needs a human or another spec outweighs one that will be retried. */
function outcomeOf(spec: AccountSpec, conditions: readonly Condition[]): ReportOutcome {
  if (conditions.some((condition) => condition.reason !== 'Applied' && condition.reason !== 'Retrying'))
    return 'failed';
  if (conditions.some((condition) => condition.reason === 'Retrying')) return 'progressing';
  return spec.desired_state === 'absent' ? 'absent' : 'applied';
}

/** Only what is known: while the web driver was not asked, or will try again, nothing is said. */
function domainStatuses(spec: AccountSpec, pass: Pass): DomainStatus[] {
  const web = pass.conditions.find((condition) => condition.type === WEB_DRIVER);
  if (web === undefined || web.reason === 'Retrying' || !(WEB_DRIVER in pass.driverMs)) return [];
  return spec.domains.map(({ domain_id, desired_state }) => {
    const said = { domain_id, reason: '', certificate: null };
    if (web.reason !== 'Applied') return { ...said, status: 'failed', reason: web.message };
    if (desired_state === 'absent' || spec.desired_state === 'absent') return { ...said, status: 'absent' };
    return { ...said, status: spec.desired_state === 'suspended' ? 'suspended' : 'active' };
  });
}
