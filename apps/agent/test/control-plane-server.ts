import { randomBytes } from 'node:crypto';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { AccountSpec, NodeSettings } from '@innkeeper/protocol';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  encodeJoinToken,
  loadCertificateAuthority,
  signNodeCertificate,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import {
  encodeAccountSpec,
  encodeNodeSettings,
  type NodeMethod,
  type NodeRequest,
  type NodeResponse,
  nodeServiceDefinition,
} from '@innkeeper/protocol/wire';
import { noteSecretsIn } from '@innkeeper/testkit/machine';

const PIECE_BYTES = 64 * 1024;

type WireSpec = ReturnType<typeof encodeAccountSpec>;
export type WireReport = NodeRequest<'ReportAccount'>;

/**
 * A control plane in this process, over real gRPC and TLS. It stores one node's accounts in memory and trusts every
 * agent. It has no NATS, so agents poll it.
 */
export class ControlPlaneServer {
  readonly address: string;
  readonly reports: WireReport[] = [];
  readonly usage: NodeRequest<'ReportUsage'>[] = [];
  /** What the agent said of its server at the start of its newest session. */
  hello: NodeRequest<'Hello'> | undefined;
  /** The newest heartbeat. */
  heartbeat: NodeRequest<'Heartbeat'> | undefined;
  /** Settings of the server itself, for an agent with another generation. */
  settings: NodeSettings | undefined;
  readonly #authority: CertificateAuthority;
  readonly #server: Server;
  readonly #wanted = new Map<string, WireSpec>();
  readonly #observed = new Map<string, number>();
  /** By release id. */
  readonly #archives = new Map<string, { bytes: Buffer; until: Promise<void> | undefined }>();
  #session = '';
  readonly #secret = randomBytes(24).toString('base64url');

  private constructor(authority: CertificateAuthority, server: Server, address: string) {
    this.#authority = authority;
    this.#server = server;
    this.address = address;
    server.addService({ ...nodeServiceDefinition }, this.#methods());
  }

  /** Listens on a free port of an address that agents can reach. */
  static async start(host: string): Promise<ControlPlaneServer> {
    const made = await createCertificateAuthority();
    const authority = loadCertificateAuthority(made.certificatePem, made.keyPem);
    const { chainPem, keyPem } = await signServerCertificate(authority, {
      hosts: [host],
      lifetimeMs: 3_600_000,
    });
    const credentials = ServerCredentials.createSsl(null, [
      { cert_chain: Buffer.from(chainPem), private_key: Buffer.from(keyPem) },
    ]);
    const server = new Server();
    const at = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`${at}:0`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
    });
    return new ControlPlaneServer(authority, server, `${at}:${port}`);
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  joinToken(): string {
    return encodeJoinToken({
      node: 'test',
      secret: this.#secret,
      ca: this.#authority.fingerprint,
      control: this.address,
    });
  }

  /**
   * Sets the desired state of an account, effective from the agent's next poll. The fields of `over` are sent
   * unchanged.
   */
  want(spec: AccountSpec, over: Partial<WireSpec> = {}): void {
    noteSecretsIn(spec);
    const message = { ...encodeAccountSpec(spec), ...over };
    this.#wanted.set(message.account_id, message);
  }

  /**
   * Stores the archive of a release for `FetchArchive`. Without bytes, the release is no longer wanted. The second half
   * of the archive is sent after `until`.
   */
  holdArchive(releaseId: number, bytes?: Buffer, until?: Promise<void>): void {
    if (bytes === undefined) this.#archives.delete(`${releaseId}`);
    else this.#archives.set(`${releaseId}`, { bytes, until });
  }

  /** Returns the newest report of an account's generation, if one has arrived. */
  reportOf(accountId: number, generation: number): WireReport | undefined {
    return this.reports.findLast(
      (report) =>
        Number(report.account_id) === accountId && Number(report.observed_generation) === generation,
    );
  }

  #methods(): UntypedServiceImplementation {
    const methods: { [M in NodeMethod]: (request: NodeRequest<M>) => Promise<NodeResponse<M>> } = {
      Enroll: async (request) => {
        if (request.join_token !== this.#secret)
          throw refusal(status.PERMISSION_DENIED, 'unknown join token');
        return await this.#identity(request.csr_pem);
      },
      RenewCertificate: (request) => this.#identity(request.csr_pem),
      Hello: async (request) => {
        this.hello = request;
        this.#session = request.session_id;
        return { heartbeat_interval_ms: 1_000, poll_interval_ms: 500 };
      },
      Heartbeat: async (request) => {
        this.heartbeat = request;
        return this.#inSession(request, {});
      },
      PullAccounts: async (request) => {
        const accounts = [...this.#wanted.values()]
          .filter((spec) => Number(spec.generation) > (this.#observed.get(spec.account_id) ?? 0))
          .filter((spec) => Number(spec.account_id) > Number(request.after_account_id))
          .sort((a, b) => Number(a.account_id) - Number(b.account_id));
        const page = accounts.slice(0, request.limit);
        const { settings } = this;
        const isKnown = settings === undefined || Number(request.settings_generation) === settings.generation;
        return this.#inSession(request, {
          accounts: page,
          has_more: accounts.length > page.length,
          settings: isKnown ? null : encodeNodeSettings(settings),
        });
      },
      ReportAccount: async (request) => {
        this.#inSession(request, {});
        if (!this.#wanted.has(request.account_id)) throw refusal(status.NOT_FOUND, 'no such account');
        this.reports.push(request);
        this.#observed.set(request.account_id, Number(request.observed_generation));
        if (request.outcome === 'absent') this.#wanted.delete(request.account_id);
        return {};
      },
      ReportUsage: async (request) => {
        this.usage.push(request);
        return this.#inSession(request, {});
      },
    };
    const handlers = Object.entries(methods).map(([name, method]) => [name, handlerOf(method)]);
    return {
      ...Object.fromEntries(handlers),
      FetchArchive: this.#fetchArchive,
    } as UntypedServiceImplementation;
  }

  readonly #fetchArchive: handleServerStreamingCall<{ release_id: string }, { data: Uint8Array }> = (
    call,
  ) => {
    const archive = this.#archives.get(call.request.release_id);
    if (archive === undefined) {
      call.emit('error', refusal(status.NOT_FOUND, 'wanted no more'));
      return;
    }
    const { bytes, until } = archive;
    const give = (from: number, to: number) => {
      for (let at = from; at < to; at += PIECE_BYTES)
        call.write({ data: bytes.subarray(at, Math.min(to, at + PIECE_BYTES)) });
    };
    const half = until === undefined ? bytes.length : Math.floor(bytes.length / 2);
    give(0, half);
    void Promise.resolve(until).then(() => {
      give(half, bytes.length);
      call.end();
    });
  };

  #inSession<T>(request: { session_id: string }, answer: T): T {
    if (request.session_id !== this.#session)
      throw refusal(status.FAILED_PRECONDITION, 'a later agent has taken over');
    return answer;
  }

  async #identity(csrPem: string): Promise<NodeResponse<'Enroll'>> {
    const { certificatePem } = await signNodeCertificate(this.#authority, { csrPem, nodeId: 1 });
    return {
      node_id: '1',
      node_name: 'test',
      certificate_pem: certificatePem,
      ca_pem: this.#authority.certificatePem,
      nats_jwt: 'none',
      nats_url: '',
    };
  }
}

function handlerOf(method: (request: never) => Promise<unknown>): handleUnaryCall<never, unknown> {
  return (call, callback) => {
    method(call.request).then(
      (answer) => callback(null, answer),
      (error: Error) => callback(error),
    );
  };
}

function refusal(code: status, details: string): Error {
  return Object.assign(new Error(details), { code, details });
}
