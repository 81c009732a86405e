import {
  type AccountSpec,
  type NodeFigures,
  type ReportOutcome,
  SETTINGS_OF_NODE,
} from '@innkeeper/protocol';
import type { Driver } from './capabilities/driver.ts';
import type { Host } from './capabilities/host.ts';
import { killFirst } from './capabilities/slice/kill-first.ts';
import type { Config } from './config.ts';
import type { ControlPlane } from './control-plane/control-plane.ts';
import { readNodeFacts } from './control-plane/node-facts.ts';
import { PullLoop } from './control-plane/pull-loop.ts';
import { Session } from './control-plane/session.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Clock } from './node/clock.ts';
import type { Log } from './node/log.ts';
import { receiveSpec } from './reconciler/receive-spec.ts';
import { Reconciler } from './reconciler/reconciler.ts';
import { Reporter } from './reconciler/reporter.ts';
import type { NodeSettingsKeeper } from './settings/node-settings.ts';
import type { AgentStatus } from './status/agent-status.ts';
import type { Metrics } from './status/metrics.ts';

export interface AgentDeps {
  version: string;
  config: Pick<Config, 'pollIntervalMs' | 'driftIntervalMs' | 'parallelAccounts' | 'phpIdleMs'>;
  controlPlane: ControlPlane;
  host: Host;
  driversFor: (desiredState: AccountSpec['desired_state']) => readonly Driver<unknown>[];
  /** Problems of this server that do not depend on its accounts, one sentence each. */
  serverReasons: () => readonly string[];
  /** Codes of the server's warnings: each names something that is weaker than accounts are promised. */
  serverWarnings: () => readonly string[];
  /** The settings of the server itself. */
  settings: Pick<NodeSettingsKeeper, 'generation' | 'problem' | 'receive'>;
  /** The newest figures for the operators of the server. */
  figures: () => NodeFigures;
  /** Called after a spec was received. */
  onSpec?: () => void;
  /** Stops the PHP masters that have been idle long enough. `now`: the clock's time, in ms. */
  sweepIdlePhp: (now: number) => Promise<number>;
  ledger: Ledger;
  metrics: Metrics;
  clock: Clock;
  random: () => number;
  log: Log;
}

export interface Agent {
  /** Queues a pass for every account now. */
  reconcileAll(): void;
  /** Queues a pass: the state of the account with this uid may have changed by itself. */
  check(uid: number): void;
  /** Also updates the gauges of the metrics. */
  status(): AgentStatus;
  /** Age of the oldest running driver step, in ms. */
  oldestStepMs(): number;
  /** Resolves once no pass is waiting or running. */
  idle(): Promise<void>;
  /** Aborts the running steps and starts nothing more. Processes on the node keep running. */
  stop(): Promise<void>;
}

const MOST_TROUBLED = 100;
const TROUBLED: ReadonlySet<ReportOutcome> = new Set(['failed', 'progressing']);
const LONGEST_BETWEEN_SWEEPS_MS = 60_000;

/**
 * Builds the parts and starts them. The ledger's accounts are reconciled at once, with or without a control plane. The
 * session starts as soon as the control plane answers.
 */
export function startAgent(deps: AgentDeps): Agent {
  const { version, config, controlPlane, host, ledger, settings, metrics, clock, random, log } = deps;
  let lastPullAt: Date | undefined;
  let superseded = false;
  let stopped = false;
  /** Accounts that were in the ledger at start and have not finished a pass yet. */
  const unseen = new Set(ledger.specs().map((spec) => spec.account_id));

  const reporter: Reporter = new Reporter({
    controlPlane: { reportAccount: (report) => observed(controlPlane.reportAccount(report)) },
    ledger,
    clock,
    random,
    log,
    onFailure: (retried) => metrics.reportErrors.inc({ retried: String(retried) }),
    onForgotten: (accountId) => reconciler.forget(accountId),
  });
  const reconciler: Reconciler = new Reconciler({
    ledger,
    host,
    driversFor: deps.driversFor,
    killFirst: (spec) => killFirst(spec, host),
    reporter,
    clock,
    random,
    log,
    metrics,
    parallel: config.parallelAccounts,
    driftIntervalMs: config.driftIntervalMs,
  });
  const pulls: PullLoop = new PullLoop({
    controlPlane: { pullAccounts: (...page) => observed(controlPlane.pullAccounts(...page)) },
    receive: async (account) => {
      await receiveSpec(account, { ledger, reconciler, reporter, metrics, log });
      deps.onSpec?.();
    },
    settingsGeneration: () => settings.generation,
    receiveSettings: (message) => settings.receive(message),
    onPulled: () => {
      lastPullAt = new Date();
    },
    onFailed: (error) => {
      metrics.pullErrors.inc();
      if (!superseded) log.warn({ err: error }, 'A pull failed: the control plane did not answer.');
    },
  });
  const session: Session = new Session({
    controlPlane,
    facts: () =>
      readNodeFacts({
        version,
        ioLimits: host.cgroups.ioLimits,
        isDiskQuotaEnforced: () => host.quota.isEnforced(),
        specs: () => ledger.specs(),
        ledgerIncomplete: ledger.incomplete,
        nodejsVersions: host.nodejsVersions.offered,
      }),
    onTaken: () => ledger.markComplete(),
    counts: () => {
      const { total, failed, progressing } = countAccounts();
      return {
        accounts: total,
        accounts_failed: failed + progressing,
        warnings: [...deps.serverWarnings()],
        figures: deps.figures(),
        settings_generation: settings.generation,
        settings_problem: settings.problem,
      };
    },
    pull: () => pulls.pull(),
    knownGeneration: (accountId) =>
      accountId === SETTINGS_OF_NODE ? settings.generation : ledger.find(accountId)?.spec.generation,
    onConnected: () => reporter.resume(),
    onSuperseded: () => {
      superseded = true;
      log.error(
        'A later agent has taken over this node. This agent stops applying changes and keeps running to report this state.',
      );
      void stopApplying();
    },
    clock,
    random,
    log,
    pollIntervalMs: config.pollIntervalMs,
  });

  async function observed<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      session.noteCall();
      return answer;
    } catch (error) {
      session.noteCall(error);
      throw error;
    }
  }

  let cancelSweep = () => {};
  function sweepLater(): void {
    const everyMs = Math.min(LONGEST_BETWEEN_SWEEPS_MS, config.phpIdleMs / 4);
    cancelSweep = clock.after(everyMs, () => void sweep().finally(() => stopped || sweepLater()));
  }

  async function sweep(): Promise<void> {
    try {
      metrics.phpStopped.inc(await deps.sweepIdlePhp(clock.now()));
    } catch (error) {
      log.warn({ err: error }, 'The search for idle PHP processes failed.');
    }
  }

  async function stopApplying(): Promise<void> {
    stopped = true;
    cancelSweep();
    session.stop();
    reporter.stop();
    await Promise.all([reconciler.stop(), pulls.stop()]);
  }

  function countAccounts(): AgentStatus['accounts'] {
    const counts = { total: ledger.size, applied: 0, failed: 0, progressing: 0, absent: 0, unknown: 0 };
    for (const { account_id } of ledger.specs())
      counts[reconciler.lastPass(account_id)?.outcome ?? 'unknown'] += 1;
    return counts;
  }

  function reasonsNotReady(): string[] {
    const reasons: string[] = [];
    for (const accountId of unseen)
      if (ledger.find(accountId) === undefined || reconciler.lastPass(accountId) !== undefined)
        unseen.delete(accountId);
    if (superseded) reasons.push('A later agent has taken this node over.');
    else if (!session.established) reasons.push('The control plane has not accepted this agent yet.');
    else if (!session.connected) reasons.push('The control plane does not answer.');
    reasons.push(...deps.serverReasons());
    if (unseen.size > 0) reasons.push(`${unseen.size} accounts have not been observed since the start.`);
    return reasons;
  }

  function status(): AgentStatus {
    const accounts = countAccounts();
    const reasons = reasonsNotReady();
    const snapshot: AgentStatus = {
      version,
      ready: reasons.length === 0,
      reasons,
      superseded,
      control_plane_connected: session.connected,
      last_pull_at: lastPullAt?.toISOString() ?? null,
      accounts,
      queue: reconciler.queued,
      reports_unsent: reporter.unsent,
      ledger_quarantined: ledger.quarantined.length,
      troubled: troubledAccounts(),
    };
    setGauges(metrics, snapshot);
    setCounter(metrics.nodeChanges, host.changes.count);
    setCounter(metrics.nginxReloads, host.web.reloads);
    return snapshot;
  }

  function troubledAccounts(): AgentStatus['troubled'] {
    const troubled: AgentStatus['troubled'] = [];
    for (const { account_id } of ledger.specs()) {
      const last = reconciler.lastPass(account_id);
      if (last === undefined || !TROUBLED.has(last.outcome)) continue;
      const conditions = last.unmet.map(({ type, reason }) => `${type}: ${reason}`);
      troubled.push({ account_id, generation: last.observed_generation, outcome: last.outcome, conditions });
      if (troubled.length === MOST_TROUBLED) break;
    }
    return troubled;
  }

  for (const { file, reason } of ledger.quarantined)
    log.error(
      { file, reason },
      'A ledger file is invalid and was quarantined. The agent does not manage its account.',
    );
  reconciler.reconcileAll();
  session.start();
  sweepLater();

  return {
    reconcileAll: () => reconciler.reconcileAll(),
    check: (uid) => {
      const entry = ledger.findByUid(uid);
      if (entry !== undefined) reconciler.check(entry.spec.account_id);
    },
    status,
    oldestStepMs: () => reconciler.oldestStepMs(),
    idle: () => reconciler.idle(),
    stop: stopApplying,
  };
}

/** Sets a metric to a total that is counted elsewhere. */
function setCounter(counter: Metrics['nodeChanges'], value: number): void {
  counter.reset();
  counter.inc(value);
}

function setGauges(metrics: Metrics, status: AgentStatus): void {
  const { total: _, ...outcomes } = status.accounts;
  for (const [outcome, count] of Object.entries(outcomes)) metrics.accounts.set({ outcome }, count);
  metrics.queueWaiting.set(status.queue.waiting);
  metrics.passesRunning.set(status.queue.running);
  metrics.reportsUnsent.set(status.reports_unsent);
  metrics.connected.set(Number(status.control_plane_connected));
  metrics.superseded.set(Number(status.superseded));
  metrics.ledgerQuarantined.set(status.ledger_quarantined);
  if (status.last_pull_at !== null) metrics.lastPull.set(Date.parse(status.last_pull_at) / 1_000);
}
