import type { AccountReport, AccountSpec, Condition, ReportOutcome } from '@innkeeper/protocol';
import type { Driver } from '../capabilities/driver.ts';
import type { Host } from '../capabilities/host.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../node/clock.ts';
import type { Log } from '../node/log.ts';
import type { Metrics } from '../status/metrics.ts';
import { AccountQueue, type Urgency } from './account-queue.ts';
import { backoffMs, jittered } from './backoff.ts';
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
  /** Kills the processes of an account that is to be suspended or removed, if they are its own. */
  killFirst: (spec: AccountSpec) => Promise<void>;
  clock: Clock;
  random: () => number;
  log: Log;
  metrics: Metrics;
  /** How many accounts are changed at a time; more than that are looked at. */
  parallel: number;
  driftIntervalMs: number;
}

/** What is remembered of the last pass over an account that ran to its end in this process. */
export type LastPass = Pick<AccountReport, 'observed_generation' | 'outcome'> & {
  /** Of the drivers that did not come to what they should. */
  readonly unmet: readonly Condition[];
};

/** What this process knows of an account since it started. */
interface Progress {
  lastPass: LastPass | undefined;
  /** The generation that was last seen true on the node, with nothing under way. */
  restingGeneration: number | undefined;
  failuresInARow: number;
  /** The control plane asks for this account: report even what it was told before. */
  asked: boolean;
  /** Ends the wait for the next pass. */
  cancelWait: () => void;
}

const LOOKS_FOR_A_CHANGE = 8;
/** Accounts whose drift is looked for fall into so many groups: what is looked at together shares programs. */
const DRIFT_GROUPS = 60;
/** A server of thousands of accounts looks for drift at this pace at most, however many there are. */
const MS_FOR_A_DRIFT_LOOK = 200;

/** A pass under way, and the end of its steps. */
interface UnderWay {
  readonly generation: number;
  readonly ending: AbortController;
}

/**
 * Keeps every account of the ledger true. It takes no orders: a new spec, a retry, the drift timer and
 * the start all put the account's id into one queue, and the pass reads the ledger. A newer spec ends
 * the step under way, and the pass makes way for it; what was done stays, and the next pass starts from what it
 * observes. Where the newer spec suspends or removes the account, its processes are killed before anything is waited for.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #queue: AccountQueue;
  readonly #changeSlots: ChangeSlots;
  readonly #progress = new Map<number, Progress>();
  readonly #underWay = new Map<number, UnderWay>();
  /** When the step that is under way in each pass began. */
  readonly #stepsSince = new Map<number, number>();
  #stopping = false;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    const looks = deps.parallel * LOOKS_FOR_A_CHANGE;
    this.#queue = new AccountQueue(looks, deps.clock, (accountId, urgency) => this.#pass(accountId, urgency));
    this.#changeSlots = new ChangeSlots(deps.parallel, deps.clock);
  }

  /** Looks at every account of the ledger: at start, and when an operator asks. */
  reconcileAll(): void {
    for (const spec of this.#deps.ledger.specs()) this.#enqueue(spec.account_id, 'routine');
  }

  /** A new spec is in the ledger. */
  specStored(accountId: number): void {
    const progress = this.#progressOf(accountId);
    progress.asked = true;
    progress.failuresInARow = 0;
    const spec = this.#deps.ledger.find(accountId)?.spec;
    const underWay = this.#underWay.get(accountId);
    if (underWay !== undefined && underWay.generation !== spec?.generation) underWay.ending.abort();
    if (spec !== undefined && spec.desired_state !== 'active') void this.#killFirst(spec);
    this.#enqueue(accountId, 'urgent');
  }

  /** The control plane sent again what the ledger has: it has not heard of it, or has forgotten. */
  specRepeated(accountId: number): void {
    this.#progressOf(accountId).asked = true;
    if (!this.#queue.has(accountId) && !this.#deps.reporter.has(accountId))
      this.#enqueue(accountId, 'urgent');
  }

  /** Something of the account may have changed by itself. */
  look(accountId: number): void {
    if (this.#deps.ledger.find(accountId) !== undefined) this.#enqueue(accountId, 'routine');
  }

  /** The account has left the ledger. */
  forget(accountId: number): void {
    this.#progress.get(accountId)?.cancelWait();
    this.#progress.delete(accountId);
  }

  /** Lets the steps under way end, and starts nothing more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const progress of this.#progress.values()) progress.cancelWait();
    await this.#queue.stop();
  }

  /** Resolves once no pass is waiting or under way. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  get queued(): { waiting: number; running: number } {
    return { waiting: this.#queue.waiting, running: this.#queue.running };
  }

  /** The age of the oldest step under way, in ms; 0 when there is none. */
  oldestStepMs(): number {
    const now = this.#deps.clock.now();
    return Math.max(0, ...[...this.#stepsSince.values()].map((since) => now - since));
  }

  /** Undefined for an account that has not been looked at. */
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
      asked: false,
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
      this.#wait(progress, spec, { retryable: true, lookAgainMs: undefined });
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
    const asked = progress.asked;
    progress.asked = false;
    progress.restingGeneration = isAtRest(report) ? spec.generation : undefined;
    this.#wait(progress, spec, pass);
    progress.lastPass = last;
    reporter.offer(report, asked || report.outcome === 'absent');
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

  /** Arranges the next pass: soon after a failure that may go away, or while something goes on by itself; else when drift is looked for. */
  #wait(
    progress: Progress,
    spec: AccountSpec,
    { retryable, lookAgainMs }: Pick<Pass, 'retryable' | 'lookAgainMs'>,
  ): void {
    if (this.#stopping) return;
    const { clock, random } = this.#deps;
    const driftIntervalMs = this.#driftIntervalMs();
    progress.failuresInARow = retryable ? progress.failuresInARow + 1 : 0;
    const firstPass = progress.lastPass === undefined;
    const drift = this.#untilDriftLook(
      firstPass ? driftIntervalMs * random() : jittered(driftIntervalMs, random()),
    );
    const retry = retryable ? backoffMs(progress.failuresInARow, random()) : Number.POSITIVE_INFINITY;
    const delay = Math.min(retry, lookAgainMs ?? Number.POSITIVE_INFINITY, drift);
    progress.cancelWait();
    progress.cancelWait = clock.after(delay, () => this.#enqueue(spec.account_id, 'routine'));
  }

  /** Never more often than a server with so many accounts can bear. */
  #driftIntervalMs(): number {
    return Math.max(this.#deps.driftIntervalMs, this.#deps.ledger.size * MS_FOR_A_DRIFT_LOOK);
  }

  /** A delay that ends when that of many others does. */
  #untilDriftLook(delayMs: number): number {
    const now = this.#deps.clock.now();
    const grid = this.#driftIntervalMs() / DRIFT_GROUPS;
    return Math.ceil((now + delayMs) / grid) * grid - now;
  }
}

function isTrue(outcome: ReportOutcome): boolean {
  return outcome === 'applied' || outcome === 'absent';
}
