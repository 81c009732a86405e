import { randomBytes } from 'node:crypto';
import type {
  AccountReport,
  Answer,
  AskVerb,
  HeartbeatCounts,
  NodeFacts,
  Question,
  SessionIntervals,
  UsageReport,
  WakeMessage,
} from '@innkeeper/protocol';
import { connectAsNode, type NodeIdentity, renewNodeIdentity } from '@innkeeper/protocol/client';
import {
  type Channel,
  decodeAccountSpec,
  decodeNodeSettings,
  encodeAccountReport,
  encodeHeartbeat,
  encodeHello,
  encodeUsageReport,
  fetchArchive,
  type NodeMethod,
  type NodeRequest,
  type NodeResponse,
  type NodeServiceClient,
  uint64ToWire,
} from '@innkeeper/protocol/wire';
import type { Log } from '../node/log.ts';
import { controlPlaneErrorOf } from './call-error.ts';
import { startCertificateRenewal } from './certificate-renewal.ts';
import { ChannelLines } from './channel-lines.ts';
import { watchConnection } from './connection-watch.ts';
import {
  type ControlPlane,
  ControlPlaneError,
  type PulledAccounts,
  type Unsubscribe,
} from './control-plane.ts';
import { storeIdentity } from './identity-store.ts';
import { Listeners } from './listeners.ts';
import { type Doorbell, openDoorbell } from './nats-doorbell.ts';

/** Long enough for the largest archive over a slow line. */
const ARCHIVE_DEADLINE_MS = 30 * 60_000;
const LONGEST_CHANNEL_MS = 12 * 3_600_000;
/** Windows of HTTP/2, in bytes: with the default of 64 KiB a far server sends 1.7 MB/s. */
const CHANNEL_OPTIONS = { 'grpc-node.flow_control_window': 1024 * 1024 };
const deadlinesMs = {
  Hello: 10_000,
  Heartbeat: 5_000,
  PullAccounts: 30_000,
  ReportAccount: 15_000,
  ReportUsage: 30_000,
} as const;

export interface ControlPlaneClientDeps {
  identity: NodeIdentity;
  /** Renewed identities are stored here before use. */
  stateDir: string;
  /** `host:port`. Undefined: the address from the node's enrolment. */
  control: string | undefined;
  log: Log;
}

/**
 * The control plane over gRPC, with NATS for wakes. One object is one session: the object creates the session id. Once
 * a later session has taken over, every further call is refused without being sent.
 */
export class ControlPlaneClient implements ControlPlane {
  readonly #deps: ControlPlaneClientDeps;
  readonly #sessionId = randomBytes(18).toString('base64url');
  readonly #wakes: Listeners<[WakeMessage]>;
  readonly #connects: Listeners<[]>;
  readonly #losses: Listeners<[]>;
  readonly #supersessions: Listeners<[]>;
  readonly #doorbell: Doorbell;
  readonly #stopRenewal: () => void;
  #identity: NodeIdentity;
  #client: NodeServiceClient;
  #stopWatch: () => void;
  #isDoorbellLost = false;
  #superseded = false;
  #closed = false;
  readonly #channelLines = new ChannelLines();

  constructor(deps: ControlPlaneClientDeps) {
    const { identity, log } = deps;
    this.#deps = deps;
    this.#wakes = new Listeners(log);
    this.#connects = new Listeners(log);
    this.#losses = new Listeners(log);
    this.#supersessions = new Listeners(log);
    this.#identity = identity;
    this.#client = connectAsNode(identity, deps.control);
    this.#stopWatch = this.#watch();
    this.#doorbell = openDoorbell({
      identity: () => this.#identity,
      onWake: (message) => this.#wakes.tell(message),
      onConnected: () => {
        this.#isDoorbellLost = false;
        this.#connects.tell();
      },
      onLost: () => {
        if (this.#isDoorbellLost) return;
        this.#isDoorbellLost = true;
        this.#losses.tell();
      },
      log,
    });
    this.#stopRenewal = startCertificateRenewal({
      identity: () => this.#identity,
      renew: () => this.renewIdentity(),
      log,
    });
  }

  async hello(facts: NodeFacts): Promise<SessionIntervals> {
    return this.#call('Hello', () => encodeHello(this.#sessionId, facts));
  }

  async heartbeat(counts: HeartbeatCounts): Promise<void> {
    await this.#call('Heartbeat', () => encodeHeartbeat(this.#sessionId, counts));
  }

  async pullAccounts(
    afterAccountId: number,
    limit: number,
    settingsGeneration: number,
  ): Promise<PulledAccounts> {
    const { accounts, has_more, settings } = await this.#call('PullAccounts', () => ({
      session_id: this.#sessionId,
      after_account_id: uint64ToWire(afterAccountId, 'after_account_id'),
      limit,
      settings_generation: uint64ToWire(settingsGeneration, 'settings_generation'),
    }));
    return {
      accounts: accounts.map(decodeAccountSpec),
      has_more,
      ...(settings === null ? {} : { settings: decodeNodeSettings(settings) }),
    };
  }

  async reportAccount(report: AccountReport): Promise<void> {
    await this.#call('ReportAccount', () => encodeAccountReport(this.#sessionId, report));
  }

  async reportUsage(report: UsageReport): Promise<void> {
    await this.#call('ReportUsage', () => encodeUsageReport(this.#sessionId, report));
  }

  async *fetchArchive(
    accountId: number,
    releaseId: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#superseded)
      throw new ControlPlaneError('superseded', 'A later agent has taken this node over.');
    const wanted = { session_id: this.#sessionId, account_id: accountId, release_id: releaseId };
    try {
      yield* fetchArchive(this.#client, wanted, { signal, deadlineMs: ARCHIVE_DEADLINE_MS });
    } catch (cause) {
      const error = controlPlaneErrorOf('FetchArchive', cause);
      if (error.code === 'superseded') this.#endSession();
      throw error;
    }
  }

  /** Calls the instance that asked for a channel. The result fails if that instance does not want it any more. */
  openChannel({ control, channel_id, secret, program }: Question<'open-channel'>): Channel {
    const target = control ?? this.#deps.control ?? this.#identity.control;
    // Keys of a terminal never wait behind files.
    const line = program.kind === 'terminal' ? 'keys' : 'bulk';
    const opening = { session_id: this.#sessionId, channel_id, secret };
    return this.#channelLines.open(`${line} ${target}`, () =>
      connectAsNode(this.#identity, target, CHANNEL_OPTIONS),
    )(opening, LONGEST_CHANNEL_MS);
  }

  onWake(listener: (message: WakeMessage) => void): Unsubscribe {
    return this.#wakes.add(listener);
  }

  onAsk<V extends AskVerb>(verb: V, handler: (question: Question<V>) => Promise<Answer<V>>): Unsubscribe {
    return this.#doorbell.onAsk(verb, handler);
  }

  get isDoorbellLost(): boolean {
    return this.#isDoorbellLost;
  }

  onDoorbellLost(listener: () => void): Unsubscribe {
    return this.#losses.add(listener);
  }

  onConnected(listener: () => void): Unsubscribe {
    return this.#connects.add(listener);
  }

  onSuperseded(listener: () => void): Unsubscribe {
    return this.#supersessions.add(listener);
  }

  /** Fetches a new identity, stores it, and reconnects with it. Running calls finish on the old connection. */
  async renewIdentity(): Promise<void> {
    const renewed = await renewNodeIdentity(this.#client, this.#identity);
    await storeIdentity(this.#deps.stateDir, renewed);
    if (this.#closed) return;
    const old = this.#client;
    this.#stopWatch();
    this.#identity = renewed;
    this.#client = connectAsNode(renewed, this.#deps.control);
    this.#stopWatch = this.#watch();
    void old.closeWhenIdle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopRenewal();
    this.#stopWatch();
    this.#client.close();
    this.#channelLines.close();
    await this.#doorbell.close();
  }

  #watch(): () => void {
    return watchConnection(this.#client.channel, () => this.#connects.tell());
  }

  async #call<M extends keyof typeof deadlinesMs & NodeMethod>(
    method: M,
    request: () => NodeRequest<M>,
  ): Promise<NodeResponse<M>> {
    if (this.#superseded)
      throw new ControlPlaneError('superseded', 'A later agent has taken this node over.');
    if (this.#closed) throw new ControlPlaneError('unavailable', 'The connection was closed.');
    try {
      return await this.#client.call(method, request(), deadlinesMs[method]);
    } catch (cause) {
      const error = controlPlaneErrorOf(method, cause);
      if (error.code === 'superseded') this.#endSession();
      throw error;
    }
  }

  #endSession(): void {
    if (this.#superseded) return;
    this.#superseded = true;
    this.#stopRenewal();
    this.#stopWatch();
    void this.#doorbell.close();
    this.#supersessions.tell();
  }
}
