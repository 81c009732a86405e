import { randomBytes } from 'node:crypto';
import {
  type AccountReport,
  type AccountSpec,
  type Answer,
  accountSpecSchema,
  type NodeFacts,
  type NodeSettings,
  nodeSettingsSchema,
  type Question,
} from '@innkeeper/protocol';
import { connectAsNode, enrollNode, type NodeIdentity } from '@innkeeper/protocol/client';
import { decodeJoinToken } from '@innkeeper/protocol/identity';
import {
  type Channel,
  decodeAccountSpec,
  decodeNodeSettings,
  encodeAccountReport,
  encodeHeartbeat,
  encodeHello,
  fetchArchive,
  type NodeMethod,
  type NodeRequest,
  type NodeResponse,
  type NodeServiceClient,
  type StreamOptions,
  uint64ToWire,
} from '@innkeeper/protocol/wire';
import type { NatsConnection } from 'nats';
import { type Behaviour, honestBehaviour } from './behaviour.ts';
import { SimulatedAccounts } from './simulated-accounts.ts';
import { answerQuestion } from './simulated-answers.ts';
import { openSimulatedDoorbell } from './simulated-doorbell.ts';

export interface SimulatedNodeOptions {
  /** Address of the node service, `host:port`. */
  control: string;
  /** Pass one of these two: a join token to enrol, or the identity of an enrolled node. */
  joinToken?: string;
  identity?: NodeIdentity;
  behaviour?: Partial<Behaviour>;
  facts?: Partial<NodeFacts>;
  /** Poll interval in ms. Default: the control plane's interval. */
  pollIntervalMs?: number;
}

const CALL_MS = 10_000;
const CHANNEL_MS = 120_000;

const facts: NodeFacts = {
  agent_version: 'simulated',
  hostname: 'simulated.test',
  cpu_count: 8,
  memory_bytes: 64 * 2 ** 30,
  disk_bytes: 2 ** 40,
  disk_quota: 'accounting-only',
  io_limits: false,
  reserved_usernames: ['root', 'nobody', 'www-data'],
  ledger_incomplete: false,
  node_versions: ['18', '20', '22', '24'],
  php_version: '8.2',
  time_zone: 'Europe/Berlin',
  ssh_fingerprint: `SHA256:${'s'.repeat(43)}`,
  ftp_fingerprint: Array.from({ length: 32 }, () => 'AB').join(':'),
};

/** Enrols if necessary, sends Hello, and works until `stop`. Resolves when its session has begun. */
export async function startSimulatedNode(options: SimulatedNodeOptions): Promise<SimulatedNode> {
  const identity = options.identity ?? (await enrollWith(options));
  const node = new SimulatedNode(identity, options);
  await node.comeBack();
  return node;
}

async function enrollWith({ control, joinToken }: SimulatedNodeOptions): Promise<NodeIdentity> {
  if (joinToken === undefined) throw new Error('A simulated node needs a join token or an identity.');
  return enrollNode(control, decodeJoinToken(joinToken));
}

/**
 * A hosting server without a host. It talks to the control plane as the agent does and keeps its accounts in memory. It
 * can be slow, fail and lie (`behaviour`), send any message (`call`), vanish and come back.
 */
export class SimulatedNode {
  readonly identity: NodeIdentity;
  readonly behaviour: Behaviour;
  /** True after a later session has replaced this one. From then on the node sends nothing. */
  superseded = false;
  /** The newest settings of the node itself. */
  settings: NodeSettings | undefined;
  readonly #options: SimulatedNodeOptions;
  readonly #accounts: SimulatedAccounts;
  #sessionId = newSessionId();
  #client: NodeServiceClient | undefined;
  #nats: NatsConnection | undefined;
  #timers: NodeJS.Timeout[] = [];
  #pull: Promise<void> | undefined;
  #pullAgain = false;
  readonly #channels = new Set<Channel>();

  constructor(identity: NodeIdentity, options: SimulatedNodeOptions) {
    this.identity = identity;
    this.#options = options;
    this.behaviour = { ...honestBehaviour, ...options.behaviour };
    this.#accounts = new SimulatedAccounts(this.behaviour, {
      send: (report) => this.report(report),
      fetch: (accountId, releaseId) => this.fetchArchive(accountId, releaseId),
    });
  }

  get id(): number {
    return this.identity.node_id;
  }

  /** The node's current specs, by account id. */
  get accounts(): ReadonlyMap<number, AccountSpec> {
    return this.#accounts.held;
  }

  /** The deployed archives, by release id. */
  get archives(): ReadonlyMap<number, Buffer> {
    return this.#accounts.archives;
  }

  /** Requests an archive, of its own node or of another. Rejects with grpc-js's ServiceError. */
  async fetchArchive(account_id: number, release_id: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.streamArchive({ account_id, release_id })) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Like `fetchArchive`, for a test that reads slowly, or not to the end. */
  streamArchive(
    wanted: { account_id: number; release_id: number; session_id?: string },
    options: Partial<StreamOptions> = {},
  ): AsyncIterable<Uint8Array> {
    if (this.#client === undefined) throw new Error('The simulated node has vanished.');
    return fetchArchive(
      this.#client,
      { session_id: this.#sessionId, ...wanted },
      { deadlineMs: CALL_MS, ...options },
    );
  }

  /** Calls the control plane that asked for a channel, or another one. */
  openChannel({
    channel_id,
    secret,
    control,
  }: Pick<Question<'open-channel'>, 'channel_id' | 'secret' | 'control'>): Channel {
    const client = connectAsNode(this.identity, control ?? this.#options.control);
    const channel = client.openChannel({ session_id: this.#sessionId, channel_id, secret }, CHANNEL_MS);
    channel.on('error', () => {});
    channel.once('close', () => client.close());
    this.#channels.add(channel);
    return channel;
  }

  #talk(question: Question<'open-channel'>): void {
    this.behaviour.talk(this.openChannel(question), question);
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** Makes one call with any content. Rejects with grpc-js's ServiceError, or if the node has vanished. */
  async call<M extends NodeMethod>(method: M, request: NodeRequest<M>): Promise<NodeResponse<M>> {
    if (this.#client === undefined) throw new Error('The simulated node has vanished.');
    return this.#client.call(method, request, CALL_MS);
  }

  /** Sends a report, honest or not. */
  async report(report: AccountReport): Promise<void> {
    await this.call('ReportAccount', encodeAccountReport(this.#sessionId, report));
  }

  async heartbeat(): Promise<void> {
    const counts = {
      accounts: this.accounts.size,
      accounts_failed: 0,
      warnings: [],
      figures: { queue_waiting: 0 },
      settings_generation: this.settings?.generation ?? 0,
      settings_problem: this.behaviour.settingsProblem,
    };
    await this.call('Heartbeat', encodeHeartbeat(this.#sessionId, counts));
  }

  /** Pulls now. Resolves when every received account has been reported. */
  async sync(): Promise<void> {
    await this.#pullSoon();
    await this.#accounts.idle();
  }

  /** Simulates a machine that is gone from the network: no heartbeat, no wake, no answer. Its accounts stay. */
  async vanish(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    for (const channel of this.#channels) channel.destroy();
    this.#channels.clear();
    this.#client?.close();
    this.#client = undefined;
    await this.#nats?.close();
    this.#nats = undefined;
  }

  /** Connects and begins a new session, like an agent after a restart. */
  async comeBack(): Promise<void> {
    await this.vanish();
    this.superseded = false;
    this.#sessionId = newSessionId();
    this.#client = connectAsNode(this.identity, this.#options.control);
    const hello = encodeHello(this.#sessionId, { ...facts, ...this.#options.facts });
    const intervals = await this.call('Hello', hello);
    this.#nats = await openSimulatedDoorbell(this.identity, {
      onWake: () => {
        if (this.behaviour.hearsWakes) void this.#pullSoon();
      },
      answer: async (verb, question) => {
        const answer = answerQuestion(verb, question, this.behaviour, this.accounts);
        if (verb === 'open-channel' && (answer as Answer<'open-channel'> | undefined)?.refused === null)
          this.#talk(question as Question<'open-channel'>);
        return answer;
      },
    });
    const pollMs = this.#options.pollIntervalMs ?? intervals.poll_interval_ms;
    this.#timers = [
      setInterval(
        () => void this.heartbeat().catch((error) => this.#note(error)),
        intervals.heartbeat_interval_ms,
      ),
      setInterval(() => void this.#pullSoon(), pollMs),
    ];
    await this.#pullSoon();
  }

  /** Stops the node permanently. */
  async stop(): Promise<void> {
    await this.vanish();
    await this.#accounts.idle();
  }

  /** Starts a pull after this call. All requests during a running pull share one further pull. */
  #pullSoon(): Promise<void> {
    if (this.#pull !== undefined) {
      this.#pullAgain = true;
      return this.#pull;
    }
    this.#pull = this.#pullUntilQuiet().finally(() => {
      this.#pull = undefined;
    });
    return this.#pull;
  }

  async #pullUntilQuiet(): Promise<void> {
    do {
      this.#pullAgain = false;
      await this.#pullPages().catch((error) => this.#note(error));
    } while (this.#pullAgain);
  }

  async #pullPages(): Promise<void> {
    for (let after = 0; ; ) {
      const { accounts, has_more, settings } = await this.call('PullAccounts', {
        session_id: this.#sessionId,
        after_account_id: uint64ToWire(after, 'after_account_id'),
        limit: 500,
        settings_generation: uint64ToWire(this.settings?.generation ?? 0, 'settings_generation'),
      });
      if (settings !== null) this.settings = nodeSettingsSchema.parse(decodeNodeSettings(settings));
      const specs = accounts.map((account) => accountSpecSchema.parse(decodeAccountSpec(account)));
      for (const spec of specs) this.#accounts.receive(spec);
      after = specs.at(-1)?.account_id ?? after;
      if (!has_more || specs.length === 0) return;
    }
  }

  #note(error: unknown): void {
    const FAILED_PRECONDITION = 9;
    if ((error as { code?: unknown }).code !== FAILED_PRECONDITION) return;
    this.superseded = true;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }
}

function newSessionId(): string {
  return randomBytes(18).toString('base64url');
}
