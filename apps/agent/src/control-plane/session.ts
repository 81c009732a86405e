import type { HeartbeatCounts, NodeFacts, SessionIntervals } from '@innkeeper/protocol';
import { backoffMs, jittered, RETRY } from '../node/backoff.ts';
import type { Clock } from '../node/clock.ts';
import type { Log } from '../node/log.ts';
import { type ControlPlane, ControlPlaneError } from './control-plane.ts';

export interface SessionDeps {
  controlPlane: Pick<
    ControlPlane,
    'hello' | 'heartbeat' | 'isDoorbellLost' | 'onConnected' | 'onDoorbellLost' | 'onWake' | 'onSuperseded'
  >;
  facts: () => Promise<NodeFacts>;
  /** The control plane accepted Hello and its facts. */
  onTaken: () => Promise<void>;
  counts: () => HeartbeatCounts;
  /** Pulls changed accounts. Called for every reason to do so. */
  pull: () => Promise<void>;
  /** Returns the generation of an account in the ledger, if it is there. */
  knownGeneration: (accountId: number) => number | undefined;
  /** The control plane is reachable again. */
  onConnected: () => void;
  /** A later agent has taken over. Called once; the session has ended. */
  onSuperseded: () => void;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Overrides the control plane's interval, in ms. */
  pollIntervalMs: number | undefined;
}

/** Poll interval while no wake can be received and the control plane answers, in ms. */
const POLL_WITHOUT_DOORBELL_MS = 1_000;

/**
 * This agent's session with the control plane. It sends Hello until it is accepted, then heartbeats and polls at their
 * intervals, and pulls on every wake and every connect. Without the control plane it retries in the background and
 * blocks nothing.
 */
export class Session {
  readonly #deps: SessionDeps;
  #established = false;
  #connected = false;
  #ended = false;
  #helloFailures = 0;
  #saying = false;
  readonly #timers: Record<'hello' | 'heartbeat' | 'poll', () => void>;
  readonly #unsubscribe: (() => void)[] = [];
  #intervals: SessionIntervals = { heartbeat_interval_ms: 15_000, poll_interval_ms: 10_000 };

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const none = () => {};
    this.#timers = { hello: none, heartbeat: none, poll: none };
  }

  start(): void {
    const { controlPlane, knownGeneration } = this.#deps;
    this.#unsubscribe.push(
      controlPlane.onSuperseded(() => this.#superseded()),
      controlPlane.onConnected(() => this.#reached()),
      controlPlane.onDoorbellLost(() => this.#pollSoon()),
      controlPlane.onWake(({ account_id, generation }) => {
        if (this.#established && (knownGeneration(account_id) ?? 0) < generation) void this.#deps.pull();
      }),
    );
    void this.#hello();
  }

  /** Returns whether a Hello was accepted since the start. */
  get established(): boolean {
    return this.#established;
  }

  /** Returns whether the last call was answered. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Records the result of another call. A refusal counts as an answer. */
  noteCall(error?: unknown): void {
    const code = error instanceof ControlPlaneError ? error.code : undefined;
    if (code === 'superseded') this.#superseded();
    this.#connected = !this.#ended && (error === undefined || code === 'not_found' || code === 'refused');
  }

  stop(): void {
    this.#ended = true;
    this.#connected = false;
    for (const cancel of Object.values(this.#timers)) cancel();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #superseded(): void {
    if (this.#ended) return;
    this.stop();
    this.#deps.onSuperseded();
  }

  /** A connection was established, the first or a later one. */
  #reached(): void {
    if (this.#ended) return;
    if (!this.#established) return void this.#hello();
    void this.#heartbeat();
    void this.#deps.pull();
    this.#deps.onConnected();
  }

  async #hello(): Promise<void> {
    if (this.#saying || this.#ended || this.#established) return;
    this.#saying = true;
    this.#timers.hello();
    const { controlPlane, facts, onTaken, clock, random, log } = this.#deps;
    try {
      this.#intervals = bounded(await controlPlane.hello(await facts()));
      this.noteCall();
      await onTaken();
      this.#established = true;
    } catch (error) {
      this.noteCall(error);
      if (this.#ended) return;
      this.#helloFailures += 1;
      log.warn({ err: error }, 'The control plane has not accepted this agent yet. The agent will retry.');
      this.#timers.hello = clock.after(
        backoffMs(RETRY, this.#helloFailures, random()),
        () => void this.#hello(),
      );
    } finally {
      this.#saying = false;
    }
    if (!this.#established || this.#ended) return;
    log.info(this.#intervals, 'The control plane has accepted this agent.');
    this.#deps.onConnected();
    this.#later('heartbeat', () => this.#heartbeat());
    this.#later('poll', () => this.#deps.pull());
    await this.#deps.pull();
  }

  async #heartbeat(): Promise<void> {
    try {
      await this.#deps.controlPlane.heartbeat(this.#deps.counts());
      this.noteCall();
    } catch (error) {
      this.noteCall(error);
      if (!this.#ended) this.#deps.log.warn({ err: error }, 'The control plane did not accept a heartbeat.');
    }
  }

  #pollSoon(): void {
    if (!this.#established || this.#ended) return;
    this.#timers.poll();
    this.#later('poll', () => this.#deps.pull());
  }

  /** Runs a task at its interval from now on, one run at a time. */
  #later(name: 'heartbeat' | 'poll', task: () => Promise<void>): void {
    const { clock, random, pollIntervalMs } = this.#deps;
    const { heartbeat_interval_ms, poll_interval_ms } = this.#intervals;
    const pollMs = pollIntervalMs ?? poll_interval_ms;
    const isDeaf = this.#deps.controlPlane.isDoorbellLost && this.#connected;
    const interval =
      name === 'heartbeat'
        ? heartbeat_interval_ms
        : isDeaf
          ? Math.min(POLL_WITHOUT_DOORBELL_MS, pollMs)
          : pollMs;
    this.#timers[name]();
    this.#timers[name] = clock.after(jittered(interval, random()), () => {
      void task().finally(() => {
        if (!this.#ended) this.#later(name, task);
      });
    });
  }
}

/** Limits the intervals, so that a control plane can make the agent neither busy-loop nor go silent. */
function bounded({ heartbeat_interval_ms, poll_interval_ms }: SessionIntervals): SessionIntervals {
  const clamp = (value: number, least: number, most: number) =>
    Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
  return {
    heartbeat_interval_ms: clamp(heartbeat_interval_ms, 1_000, 30_000),
    poll_interval_ms: clamp(poll_interval_ms, 500, 300_000),
  };
}
