import type { AccountReport, AccountSpec, Condition, ReportOutcome } from '@innkeeper/protocol';
import type { Driver } from '../capabilities/driver.ts';
import type { Host } from '../capabilities/host.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { backoffMs, jittered, RETRY } from '../node/backoff.ts';
import type { Clock } from '../node/clock.ts';
import type { Log } from '../node/log.ts';
import type { Metrics } from '../status/metrics.ts';
import { AccountQueue, type Urgency } from './account-queue.ts';
import { ChangeSlots } from './change-slots.ts';
import type { Permission } from './converge-driver.ts';
import { type Pass, runPass } from './pass.ts';
import { isAtRest, reportOfPass } from './report-of-pass.ts';
import type { Reporter } from './reporter.ts';

export interface ReconcilerDeps {
  ledger: Ledger;
  host: Host;
  driversFor: (desiredState: AccountSpec['desired_state']) => readonly Driver<unknown>[];
  reporter: Pick<Reporter, 'offer' | 'has'>;
  /** Kills the processes of an account that is to be suspended or removed, if they belong to the account. */
  killFirst: (spec: AccountSpec) => Promise<void>;
  clock: Clock;
  random: () => number;
  log: Log;
  metrics: Metrics;
  /** Maximum number of accounts changed concurrently. More than that are observed concurrently. */
  parallel: number;
  driftIntervalMs: number;
}

/** The last completed pass over an account in this process. */
export type LastPass = Pick<AccountReport, 'observed_generation' | 'outcome'> & {
  /** Conditions of the drivers that did not converge. */
  readonly unmet: readonly Condition[];
};

/** State of an account since this process started. */
interface Progress {
  lastPass: LastPass | undefined;
  /** The newest generation that was observed true on the node, without background work. */
  restingGeneration: number | undefined;
  failuresInARow: number;
  /** The control plane requested this account: send the report even if it repeats an accepted one. */
  reportRequested: boolean;
  /** Cancels the timer of the next pass. */
  cancelWait: () => void;
}

const OBSERVATIONS_FOR_A_CHANGE = 8;
/** Drift checks are aligned to this number of groups, because accounts that are observed together share programs. */
const DRIFT_GROUPS = 60;
/** Minimum average interval between two drift checks. It limits the load on a server with thousands of accounts. */
const MS_FOR_A_DRIFT_CHECK = 200;

/** A running pass, and the abort of its steps. */
interface UnderWay {
  readonly generation: number;
  readonly ending: AbortController;
}

/**
 * Keeps every account of the ledger true. It takes no commands: a new spec, a retry, the drift timer and the start all
 * put the account's id into one queue, and the pass reads the ledger. A newer spec aborts the running step and the
 * pass. Completed steps stay, and the next pass starts from what it observes. If the newer spec suspends or removes the
 * account, its processes are killed first, before anything is awaited.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #queue: AccountQueue;
  readonly #changeSlots: ChangeSlots;
  readonly #progress = new Map<number, Progress>();
  readonly #underWay = new Map<number, UnderWay>();
  /** Start time of the running step of each pass. */
  readonly #stepsSince = new Map<number, number>();
  #stopping = false;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    const observations = deps.parallel * OBSERVATIONS_FOR_A_CHANGE;
    this.#queue = new AccountQueue(observations, deps.clock, (accountId, urgency) =>
      this.#pass(accountId, urgency),
    );
    this.#changeSlots = new ChangeSlots(deps.parallel, deps.clock);
  }

  /** Queues every account of the ledger: at start, and when an operator requests it. */
  reconcileAll(): void {
    for (const spec of this.#deps.ledger.specs()) this.#enqueue(spec.account_id, 'routine');
  }

  /** Called when a new spec is in the ledger. */
  specStored(accountId: number): void {
    const progress = this.#progressOf(accountId);
    progress.reportRequested = true;
    progress.failuresInARow = 0;
    const spec = this.#deps.ledger.find(accountId)?.spec;
    const underWay = this.#underWay.get(accountId);
    if (underWay !== undefined && underWay.generation !== spec?.generation) underWay.ending.abort();
    if (spec !== undefined && spec.desired_state !== 'active') void this.#killFirst(spec);
    this.#enqueue(accountId, 'urgent');
  }

  /** The control plane sent a spec that the ledger already has: it did not receive the report, or has lost it. */
  specRepeated(accountId: number): void {
    this.#progressOf(accountId).reportRequested = true;
    if (!this.#queue.has(accountId) && !this.#deps.reporter.has(accountId))
      this.#enqueue(accountId, 'urgent');
  }

  /** Queues a pass: the state of the account may have changed by itself. */
  check(accountId: number): void {
    if (this.#deps.ledger.find(accountId) !== undefined) this.#enqueue(accountId, 'routine');
  }

  /** Called when the account has left the ledger. */
  forget(accountId: number): void {
    this.#progress.get(accountId)?.cancelWait();
    this.#progress.delete(accountId);
  }

  /** Aborts the running steps, and starts nothing more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const progress of this.#progress.values()) progress.cancelWait();
    await this.#queue.stop();
  }

  /** Resolves once no pass is waiting or running. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  get queued(): { waiting: number; running: number } {
    return { waiting: this.#queue.waiting, running: this.#queue.running };
  }

  /** Age of the oldest running step, in ms. 0 when no step runs. */
  oldestStepMs(): number {
    const now = this.#deps.clock.now();
    return Math.max(0, ...[...this.#stepsSince.values()].map((since) => now - since));
  }

  /** Undefined for an account without a completed pass. */
  lastPass(accountId: number): LastPass | undefined {
    return this.#progress.get(accountId)?.lastPass;
  }

  async #killFirst(spec: AccountSpec): Promise<void> {
    const { killFirst, log } = this.#deps;
    try {
      await killFirst(spec);
    } catch (error) {
      log.warn(
        { account_id: spec.account_id, err: error },
        'Processes of the account are still running. The pass will end them.',
      );
    }
  }

  #enqueue(accountId: number, urgency: Urgency): void {
    if (this.#stopping) return;
    this.#progressOf(accountId).cancelWait();
    this.#queue.add(accountId, urgency);
  }

  #progressOf(accountId: number): Progress {
    const known = this.#progress.get(accountId);
    if (known !== undefined) return known;
    const accepted = this.#deps.ledger.find(accountId)?.accepted_report;
    const fresh: Progress = {
      lastPass: undefined,
      restingGeneration:
        accepted?.outcome === 'applied' && accepted.at_rest !== false
          ? accepted.observed_generation
          : undefined,
      failuresInARow: 0,
      reportRequested: false,
      cancelWait: () => {},
    };
    this.#progress.set(accountId, fresh);
    return fresh;
  }

  async #pass(accountId: number, urgency: Urgency): Promise<void> {
    const spec = this.#deps.ledger.find(accountId)?.spec;
    if (spec === undefined) return this.forget(accountId);
    const progress = this.#progressOf(accountId);
    const ending = new AbortController();
    this.#underWay.set(accountId, { generation: spec.generation, ending });
    try {
      const ended = await this.#run(spec, progress, urgency, ending.signal);
      if (ended === 'outdated') this.#enqueue(accountId, 'urgent');
      else if (ended !== 'stop') this.#conclude(spec, progress, ended);
    } catch (error) {
      this.#deps.log.error(
        { account_id: accountId, err: error },
        'A pass was aborted. The agent will retry it.',
      );
      this.#wait(progress, spec, { retryable: true, observeAgainMs: undefined });
    } finally {
      this.#underWay.delete(accountId);
      this.#stepsSince.delete(accountId);
    }
  }

  #run(
    spec: AccountSpec,
    progress: Progress,
    urgency: Urgency,
    signal: AbortSignal,
  ): Promise<Pass | Exclude<Permission, 'go'>> {
    const { ledger, host, driversFor, clock, log, metrics } = this.#deps;
    const { account_id, generation } = spec;
    const repairing = progress.restingGeneration === generation;
    return runPass(spec, driversFor(spec.desired_state), {
      host,
      now: () => clock.now(),
      mayContinue: () => {
        this.#stepsSince.set(account_id, clock.now());
        if (this.#stopping) return 'stop';
        return ledger.find(account_id)?.spec.generation === generation ? 'go' : 'outdated';
      },
      whileChanging: (work) => this.#changeSlots.hold(urgency, signal, work),
      signal,
      onChange: (driver, change) => {
        metrics.changes.inc({ driver });
        if (repairing) metrics.driftRepaired.inc({ driver });
        log.info({ account_id, generation, driver, change: change.kind, drift: repairing }, change.summary);
      },
    });
  }

  #conclude(spec: AccountSpec, progress: Progress, pass: Pass): void {
    const { log, metrics, reporter } = this.#deps;
    const report = reportOfPass(spec, pass);
    for (const { driver, error } of pass.defects)
      log.error(
        { account_id: spec.account_id, driver, err: error },
        'A driver failed with an unexpected error.',
      );
    for (const [driver, ms] of Object.entries(pass.driverMs))
      metrics.driverDuration.observe({ driver }, ms / 1_000);
    for (const { type, reason, message } of report.conditions)
      if (reason === 'Applied' && message !== '')
        log.warn({ account_id: spec.account_id, driver: type }, message);
    metrics.passes.inc({ outcome: report.outcome });
    const last: LastPass = {
      observed_generation: report.observed_generation,
      outcome: report.outcome,
      unmet: report.conditions.filter((condition) => condition.reason !== 'Applied'),
    };
    this.#logOutcome(spec.account_id, last, progress.lastPass?.outcome);
    const { reportRequested } = progress;
    progress.reportRequested = false;
    progress.restingGeneration = isAtRest(report) ? spec.generation : undefined;
    const delayMs = this.#wait(progress, spec, pass);
    progress.lastPass = last;
    reporter.offer(
      report.outcome === 'failed' && delayMs !== undefined
        ? { ...report, next_pass_at: Math.ceil((Date.now() + delayMs) / 1_000) }
        : report,
      reportRequested || report.outcome === 'absent',
    );
  }

  #logOutcome(account_id: number, pass: LastPass, before: ReportOutcome | undefined): void {
    const { observed_generation: generation, outcome, unmet } = pass;
    if (isTrue(outcome) && before !== outcome)
      this.#deps.log.info({ account_id, generation, outcome }, 'The account is applied.');
    if (unmet.length === 0) return;
    this.#deps.log.warn(
      { account_id, generation, outcome, conditions: unmet },
      isTrue(outcome)
        ? 'The account is applied, but a repair in its home failed. The agent will retry it.'
        : 'The account is not applied yet.',
    );
  }

  /**
   * Schedules the next pass: soon after a retryable failure or while background work runs, otherwise at the next drift
   * check. Returns the delay, in ms. Undefined: the agent stops.
   */
  #wait(
    progress: Progress,
    spec: AccountSpec,
    { retryable, observeAgainMs }: Pick<Pass, 'retryable' | 'observeAgainMs'>,
  ): number | undefined {
    if (this.#stopping) return undefined;
    const { clock, random } = this.#deps;
    const driftIntervalMs = this.#driftIntervalMs();
    progress.failuresInARow = retryable ? progress.failuresInARow + 1 : 0;
    const firstPass = progress.lastPass === undefined;
    const drift = this.#untilDriftCheck(
      firstPass ? driftIntervalMs * random() : jittered(driftIntervalMs, random()),
    );
    const retry = retryable ? backoffMs(RETRY, progress.failuresInARow, random()) : Number.POSITIVE_INFINITY;
    const delay = Math.min(retry, observeAgainMs ?? Number.POSITIVE_INFINITY, drift);
    progress.cancelWait();
    progress.cancelWait = clock.after(delay, () => this.#enqueue(spec.account_id, 'routine'));
    return delay;
  }

  /** Returns the drift interval, in ms. It grows with the number of accounts, to limit the load. */
  #driftIntervalMs(): number {
    return Math.max(this.#deps.driftIntervalMs, this.#deps.ledger.size * MS_FOR_A_DRIFT_CHECK);
  }

  /** Returns the delay until the next drift check, aligned so that many accounts are checked together. */
  #untilDriftCheck(delayMs: number): number {
    const now = this.#deps.clock.now();
    const grid = this.#driftIntervalMs() / DRIFT_GROUPS;
    return Math.ceil((now + delayMs) / grid) * grid - now;
  }
}

function isTrue(outcome: ReportOutcome): boolean {
  return outcome === 'applied' || outcome === 'absent';
}
