import { type AccountReport, accountSpecSchema, FOREIGN_CREATION } from '@innkeeper/protocol';
import { z } from 'zod';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../node/log.ts';
import type { Metrics } from '../status/metrics.ts';
import type { Reconciler } from './reconciler.ts';
import type { Reporter } from './reporter.ts';

export interface ReceiveSpecDeps {
  ledger: Pick<Ledger, 'accept'>;
  reconciler: Pick<Reconciler, 'specStored' | 'specRepeated'>;
  reporter: Pick<Reporter, 'offer'>;
  metrics: Metrics;
  log: Log;
}

const addresseeSchema = z.object({ account_id: z.int().min(1), generation: z.int().min(1) });
const SHOWN_ISSUES = 5;

/**
 * Accepts a spec from the control plane. The spec is untrusted until it has passed the agent's own schema and the
 * ledger's rules. An invalid spec is reported as refused, with the field and the rule, and touches neither the ledger
 * nor the node. After a refusal, the last accepted spec stays in force. Never rejects.
 */
export async function receiveSpec(received: unknown, deps: ReceiveSpecDeps): Promise<void> {
  const parsed = accountSpecSchema.safeParse(received);
  if (!parsed.success) return refuse(received, describeIssues(parsed.error), deps);
  const { account_id, generation } = parsed.data;
  try {
    const acceptance = await deps.ledger.accept(parsed.data);
    if (acceptance.kind === 'refused') return refuse(received, acceptance.reason, deps, acceptance.isForeign);
    if (acceptance.kind === 'known') deps.reconciler.specRepeated(account_id);
    else {
      deps.log.info({ account_id, generation, desired_state: parsed.data.desired_state }, 'A new spec.');
      deps.reconciler.specStored(account_id);
    }
  } catch (error) {
    deps.metrics.pullErrors.inc();
    deps.log.error(
      { account_id, generation, err: error },
      'A spec could not be stored. The agent will request it again.',
    );
  }
}

function refuse(
  received: unknown,
  reason: string,
  { metrics, log, reporter }: ReceiveSpecDeps,
  isForeign = false,
): void {
  metrics.specsRefused.inc();
  const addressee = addresseeSchema.safeParse(received);
  if (!addressee.success) {
    log.error({ reason }, 'A spec without a valid account id and generation was refused.');
    return;
  }
  const { account_id, generation } = addressee.data;
  log.error({ account_id, generation, reason }, 'A spec was refused.');
  const report: AccountReport = {
    account_id,
    observed_generation: generation,
    outcome: 'failed',
    conditions: [{ type: isForeign ? FOREIGN_CREATION : 'spec', reason: 'Refused', message: reason }],
    domains: [],
    databases: [],
    apps: [],
    driver_ms: {},
  };
  reporter.offer(report, true);
}

/**
 * Returns the invalid fields and their rules. Values are left out: they may be secret, or crafted to confuse a
 * terminal.
 */
function describeIssues(error: z.ZodError): string {
  const shown = error.issues.slice(0, SHOWN_ISSUES).map((issue) => {
    const field = issue.path.map(String).join('.') || 'spec';
    return `${field}: ${issue.message}`;
  });
  const more = error.issues.length - shown.length;
  const sentence = `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return sentence.replace(/[^\x20-\x7e]/g, '?').slice(0, 2_000);
}
