import { createHash } from 'node:crypto';
import type { AccountReport } from '@innkeeper/protocol';
import { type ControlPlane, ControlPlaneError } from '../control-plane/control-plane.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../node/clock.ts';
import type { Log } from '../node/log.ts';
import { backoffMs } from './backoff.ts';
import { isAtRest } from './report-of-pass.ts';

export interface ReporterDeps {
  controlPlane: Pick<ControlPlane, 'reportAccount'>;
  ledger: Pick<Ledger, 'find' | 'recordAcceptedReport' | 'forget'>;
  clock: Clock;
  random: () => number;
  log: Log;
  /** A report was not taken; `retried` says whether it will be sent again. */
  onFailure: (retried: boolean) => void;
  /** The control plane has taken the report that an account is gone. */
  onForgotten: (accountId: number) => void;
}

const PARALLEL_REPORTS = 16;
/** A write of a user waits for its report. */
const LONGEST_PAUSE_MS = 3_000;

/**
 * Brings reports to the control plane: for each account only the newest, one at a time, and again until
 * it is taken. An absent account leaves the ledger here, when its report has been taken and not before.
 *
 * A report that is not taken waits by itself. Whether others are is found out with one of them at a time: the first at
 * once, each further one after a growing pause; once one is taken, all are sent again.
 */
export class Reporter {
  readonly #deps: ReporterDeps;
  readonly #pending = new Map<number, AccountReport>();
  readonly #sending = new Set<number>();
  /** Of reports that were not taken: how often, and the end of their wait. */
  readonly #waits = new Map<number, { failures: number; cancel: (() => void) | undefined }>();
  /** Reports that were not taken since the last that was. */
  #failures = 0;
  #cancelPause: (() => void) | undefined;
  #stopped = false;

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
  }

  /** Takes a report. Unless `evenIfKnown`, one that says what the control plane has accepted before is dropped. */
  offer(report: AccountReport, evenIfKnown: boolean): void {
    if (this.#stopped) return;
    const accepted = this.#deps.ledger.find(report.account_id)?.accepted_report;
    if (!evenIfKnown && accepted?.digest === digestReport(report) && !this.has(report.account_id)) return;
    this.#pending.set(report.account_id, report);
    // What is new has not failed yet.
    if (!this.#sending.has(report.account_id)) this.#endWait(report.account_id);
    this.#send();
  }

  /** Whether a report of the account has not been taken yet. */
  has(accountId: number): boolean {
    return this.#pending.has(accountId) || this.#sending.has(accountId);
  }

  get unsent(): number {
    return new Set([...this.#pending.keys(), ...this.#sending]).size;
  }

  /** The control plane is back: waits no longer. */
  resume(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#failures = 0;
    for (const accountId of [...this.#waits.keys()]) this.#endWait(accountId);
    this.#send();
  }

  /** Sends nothing more; what is pending is found again by the next start. */
  stop(): void {
    this.#stopped = true;
    this.#cancelPause?.();
    for (const { cancel } of this.#waits.values()) cancel?.();
    this.#pending.clear();
  }

  #send(): void {
    if (this.#stopped || this.#cancelPause !== undefined) return;
    for (const [accountId, report] of this.#pending) {
      if (this.#sending.size >= (this.#failures === 0 ? PARALLEL_REPORTS : 1)) return;
      if (this.#sending.has(accountId) || this.#waits.get(accountId)?.cancel !== undefined) continue;
      this.#pending.delete(accountId);
      this.#sending.add(accountId);
      void this.#sendOne(report).finally(() => {
        this.#sending.delete(accountId);
        this.#send();
      });
    }
  }

  async #sendOne(report: AccountReport): Promise<void> {
    const { controlPlane, log, onFailure } = this.#deps;
    try {
      await controlPlane.reportAccount(report);
      this.#taken(report.account_id);
    } catch (error) {
      const code = error instanceof ControlPlaneError ? error.code : 'unavailable';
      if (code === 'not_found' && report.outcome === 'absent') {
        this.#waits.delete(report.account_id);
        return this.#settle(report);
      }
      const retried = code === 'unavailable' || code === 'unauthenticated';
      onFailure(retried);
      if (!retried) this.#waits.delete(report.account_id);
      const fields = { account_id: report.account_id, outcome: report.outcome, err: error };
      if (!retried) log.error(fields, 'The control plane rejected a report. The agent will not retry it.');
      else if (!this.#stopped) {
        log.warn(fields, 'A report could not be delivered. The agent will retry it.');
        this.#keep(report);
      }
      return;
    }
    await this.#settle(report);
  }

  /** The report has been taken: what the ledger does with it. */
  async #settle(report: AccountReport): Promise<void> {
    const { ledger, log, onForgotten } = this.#deps;
    const { account_id, observed_generation, outcome } = report;
    try {
      if (outcome !== 'absent')
        await ledger.recordAcceptedReport(account_id, {
          observed_generation,
          outcome,
          digest: digestReport(report),
          ...(isAtRest(report) ? {} : { at_rest: false }),
        });
      else if (await ledger.forget(account_id, observed_generation)) onForgotten(account_id);
    } catch (error) {
      log.error(
        { account_id, err: error },
        'The ledger could not be written after the control plane accepted a report.',
      );
    }
  }

  /** A report was taken: so will others be, unless it is their own fault that they were not. */
  #taken(accountId: number): void {
    const wasAway = this.#failures > 1;
    this.#waits.delete(accountId);
    if (wasAway) this.resume();
    else this.#failures = 0;
  }

  #keep(report: AccountReport): void {
    const { account_id } = report;
    const isOutdated = this.#pending.has(account_id);
    if (!isOutdated) this.#pending.set(account_id, report);
    const { clock, random } = this.#deps;
    const failures = (this.#waits.get(account_id)?.failures ?? 0) + 1;
    const pauseMs = (times: number) => backoffMs(times, random(), LONGEST_PAUSE_MS);
    const cancel = isOutdated
      ? undefined
      : clock.after(pauseMs(failures), () => {
          this.#endWait(account_id);
          this.#send();
        });
    this.#waits.set(account_id, { failures, cancel });
    this.#failures += 1;
    if (this.#failures === 1 || this.#cancelPause !== undefined) return;
    this.#cancelPause = clock.after(pauseMs(this.#failures - 1), () => {
      this.#cancelPause = undefined;
      this.#send();
    });
  }

  /** How often it has failed is kept until it is taken. */
  #endWait(accountId: number): void {
    const wait = this.#waits.get(accountId);
    wait?.cancel?.();
    if (wait !== undefined) this.#waits.set(accountId, { ...wait, cancel: undefined });
  }
}

/** The same for two reports that say the same; how long drivers took does not count. */
function digestReport({ driver_ms: _, ...said }: AccountReport): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}
