import { createHash } from 'node:crypto';
import type { AccountReport } from '@innkeeper/protocol';
import { type ControlPlane, ControlPlaneError } from '../control-plane/control-plane.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { backoffMs, RETRY } from '../node/backoff.ts';
import type { Clock } from '../node/clock.ts';
import type { Log } from '../node/log.ts';
import { isAtRest } from './report-of-pass.ts';

export interface ReporterDeps {
  controlPlane: Pick<ControlPlane, 'reportAccount'>;
  ledger: Pick<Ledger, 'find' | 'recordAcceptedReport' | 'forget'>;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Called when a report was not accepted. `retried` says whether it will be sent again. */
  onFailure: (retried: boolean) => void;
  /** Called when the control plane has accepted the report that an account is gone. */
  onForgotten: (accountId: number) => void;
}

const PARALLEL_REPORTS = 16;
/** Kept short, because a user's write waits for its report. */
const LONGEST_PAUSE_MS = 3_000;

/**
 * Sends reports to the control plane: for each account only the newest, one at a time, with retries until it is
 * accepted. An absent account leaves the ledger here, when its report has been accepted and not before.
 *
 * A report that is not accepted waits on its own. To find out whether other reports are accepted, the reporter sends
 * one of them at a time: the first at once, each further one after a growing backoff. Once one is accepted, all are
 * sent again.
 */
export class Reporter {
  readonly #deps: ReporterDeps;
  readonly #pending = new Map<number, AccountReport>();
  readonly #sending = new Set<number>();
  /** Rejected reports, by account: number of failures, and the cancel function of the wait. */
  readonly #waits = new Map<number, { failures: number; cancel: (() => void) | undefined }>();
  /** Number of failed reports since the last accepted one. */
  #failures = 0;
  #cancelPause: (() => void) | undefined;
  #stopped = false;

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
  }

  /** Takes a report. Unless `evenIfKnown`, a report equal to the last accepted one is dropped. */
  offer(report: AccountReport, evenIfKnown: boolean): void {
    if (this.#stopped) return;
    const accepted = this.#deps.ledger.find(report.account_id)?.accepted_report;
    if (!evenIfKnown && accepted?.digest === digestReport(report) && !this.has(report.account_id)) return;
    this.#pending.set(report.account_id, report);
    // A new report has no failures yet.
    if (!this.#sending.has(report.account_id)) this.#endWait(report.account_id);
    this.#send();
  }

  /** Returns whether a report of the account has not been accepted yet. */
  has(accountId: number): boolean {
    return this.#pending.has(accountId) || this.#sending.has(accountId);
  }

  get unsent(): number {
    return new Set([...this.#pending.keys(), ...this.#sending]).size;
  }

  /** The control plane is reachable again: cancels all waits. */
  resume(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#failures = 0;
    for (const accountId of [...this.#waits.keys()]) this.#endWait(accountId);
    this.#send();
  }

  /** Sends nothing more. Pending reports are rebuilt after the next start. */
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

  /** Updates the ledger for an accepted report. */
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

  /** A report was accepted, so the others will be too, unless their own content is at fault. */
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
    const pauseMs = (times: number) => backoffMs({ ...RETRY, longestMs: LONGEST_PAUSE_MS }, times, random());
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

  /** Keeps the number of failures until a report is accepted. */
  #endWait(accountId: number): void {
    const wait = this.#waits.get(accountId);
    wait?.cancel?.();
    if (wait !== undefined) this.#waits.set(accountId, { ...wait, cancel: undefined });
  }
}

/** Returns equal digests for reports with equal content. Driver durations are ignored. */
function digestReport({ driver_ms: _, ...content }: AccountReport): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
