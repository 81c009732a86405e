import { createHash } from 'node:crypto';
import type { AccountReport } from '@innkeeper/protocol';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import { type ControlPlane, ControlPlaneError } from '../transport/control-plane.ts';
import { backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
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

/**
 * Brings reports to the control plane: for each account only the newest, one at a time, and again until
 * it is taken. An absent account leaves the ledger here, when its report has been taken and not before.
 */
export class Reporter {
  readonly #deps: ReporterDeps;
  readonly #pending = new Map<number, AccountReport>();
  readonly #sending = new Set<number>();
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
    this.#send();
  }

  /** Sends nothing more; what is pending is found again by the next start. */
  stop(): void {
    this.#stopped = true;
    this.#cancelPause?.();
    this.#pending.clear();
  }

  #send(): void {
    if (this.#stopped || this.#cancelPause !== undefined) return;
    for (const [accountId, report] of this.#pending) {
      if (this.#sending.size >= PARALLEL_REPORTS) return;
      if (this.#sending.has(accountId)) continue;
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
      this.#failures = 0;
    } catch (error) {
      const code = error instanceof ControlPlaneError ? error.code : 'unavailable';
      if (code === 'not_found' && report.outcome === 'absent') return this.#settle(report);
      const retried = code === 'unavailable' || code === 'unauthenticated';
      onFailure(retried);
      const fields = { account_id: report.account_id, outcome: report.outcome, err: error };
      if (!retried)
        log.error(fields, 'The control plane did not take a report, and would not the next time.');
      else if (!this.#stopped) {
        log.warn(fields, 'A report could not be delivered and will be sent again.');
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
      log.error({ account_id, err: error }, 'The ledger could not be written after a report was taken.');
    }
  }

  #keep(report: AccountReport): void {
    if (!this.#pending.has(report.account_id)) this.#pending.set(report.account_id, report);
    if (this.#cancelPause !== undefined) return;
    this.#failures += 1;
    const { clock, random } = this.#deps;
    this.#cancelPause = clock.after(backoffMs(this.#failures, random()), () => {
      this.#cancelPause = undefined;
      this.#send();
    });
  }
}

/** The same for two reports that say the same; how long drivers took does not count. */
function digestReport({ driver_ms: _, ...said }: AccountReport): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}
