import type {
  AccountReport,
  HeartbeatCounts,
  NodeFacts,
  UsageReport,
  WakeMessage,
} from '@innkeeper/protocol';
import { type ControlPlane, ControlPlaneError } from './control-plane.ts';

/** A control plane in memory. A test can make it unreachable, or make it refuse. */
export class FakeControlPlane implements ControlPlane {
  /** The error of every call while it is set. */
  away: ControlPlaneError | undefined;
  /** The answer to the next pulls. */
  accounts: unknown[] = [];
  /** Settings of the server itself. */
  settings: { generation: number } | undefined;
  readonly reports: AccountReport[] = [];
  readonly heartbeats: HeartbeatCounts[] = [];
  readonly usage: UsageReport[] = [];
  hellos: NodeFacts[] = [];
  pulls = 0;
  /** Called before a report is accepted. */
  onReport: (report: AccountReport) => void | Promise<void> = () => {};
  #wake: (message: WakeMessage) => void = () => {};
  isDoorbellLost = false;
  #doorbellLost: () => void = () => {};
  #connected: () => void = () => {};
  #superseded: () => void = () => {};

  async hello(facts: NodeFacts) {
    this.#answer();
    this.hellos.push(facts);
    return { heartbeat_interval_ms: 15_000, poll_interval_ms: 10_000 };
  }

  async heartbeat(counts: HeartbeatCounts) {
    this.#answer();
    this.heartbeats.push(counts);
  }

  async pullAccounts(afterAccountId: number, limit: number, settingsGeneration: number) {
    this.#answer();
    this.pulls += 1;
    const rest = this.accounts.filter((account) => idOf(account) > afterAccountId);
    const isKnown = this.settings === undefined || this.settings.generation === settingsGeneration;
    return {
      accounts: rest.slice(0, limit),
      has_more: rest.length > limit,
      ...(isKnown ? {} : { settings: this.settings }),
    };
  }

  async reportAccount(report: AccountReport) {
    await this.onReport(report);
    this.#answer();
    this.reports.push(report);
    const known = (account: unknown) =>
      idOf(account) === report.account_id &&
      (account as { generation: number }).generation <= report.observed_generation;
    this.accounts = this.accounts.filter((account) => !known(account));
  }

  async reportUsage(report: UsageReport) {
    this.#answer();
    this.usage.push(report);
  }

  // biome-ignore lint/correctness/useYield: it has no archive.
  async *fetchArchive(): AsyncGenerator<Uint8Array, void, undefined> {
    throw new ControlPlaneError('not_found', 'There is no such archive.');
  }

  onWake(listener: (message: WakeMessage) => void) {
    this.#wake = listener;
    return () => {};
  }

  onAsk() {
    return () => {};
  }

  onDoorbellLost(listener: () => void) {
    this.#doorbellLost = listener;
    return () => {};
  }

  onConnected(listener: () => void) {
    this.#connected = listener;
    return () => {};
  }

  onSuperseded(listener: () => void) {
    this.#superseded = listener;
    return () => {};
  }

  async close() {}

  /** Simulates a control plane that becomes unreachable. */
  leave(): void {
    this.away = new ControlPlaneError('unavailable', 'The control plane is not reached.');
  }

  loseDoorbell(): void {
    this.isDoorbellLost = true;
    this.#doorbellLost();
  }

  comeBack(): void {
    this.away = undefined;
    this.#connected();
  }

  wake(message: WakeMessage): void {
    this.#wake(message);
  }

  supersede(): void {
    this.away = new ControlPlaneError('superseded', 'A later agent has taken over.');
    this.#superseded();
  }

  #answer(): void {
    if (this.away !== undefined) throw this.away;
  }
}

function idOf(account: unknown): number {
  const id = (account as { account_id?: unknown } | null)?.account_id;
  return typeof id === 'number' ? id : Number.POSITIVE_INFINITY;
}
