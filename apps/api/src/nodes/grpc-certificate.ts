import type { experimental } from '@grpc/grpc-js';
import {
  type CertificateAuthority,
  type ServerCertificate,
  signServerCertificate,
} from '@innkeeper/protocol/identity';

const DAY_MS = 24 * 3_600_000;
const LIFETIME_MS = 30 * DAY_MS;
const RENEWED_EVERY_MS = 7 * DAY_MS;

type Provider = Required<Parameters<typeof experimental.createCertificateProviderServerCredentials>>[0];
type CaListener = Parameters<Provider['addCaCertificateListener']>[0];
type IdentityListener = Parameters<Provider['addIdentityCertificateListener']>[0];

/**
 * The certificate of the node service: signed at start, held in memory, and signed anew every week while
 * listeners of grpc-js take it up for new connections.
 */
export class NodeServerCertificate implements Provider {
  readonly #authority: CertificateAuthority;
  readonly #hosts: readonly string[];
  readonly #identityListeners = new Set<IdentityListener>();
  readonly #timer: NodeJS.Timeout;
  #current: ServerCertificate;

  private constructor(authority: CertificateAuthority, hosts: readonly string[], first: ServerCertificate) {
    this.#authority = authority;
    this.#hosts = hosts;
    this.#current = first;
    this.#timer = setInterval(() => void this.#renew(), RENEWED_EVERY_MS);
    this.#timer.unref();
  }

  /** `hosts`: the names and addresses that agents connect to. */
  static async sign(
    authority: CertificateAuthority,
    hosts: readonly string[],
  ): Promise<NodeServerCertificate> {
    const first = await signServerCertificate(authority, { hosts, lifetimeMs: LIFETIME_MS });
    return new NodeServerCertificate(authority, hosts, first);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  addCaCertificateListener(listener: CaListener): void {
    // grpc-js misses what a listener is told while it is being added.
    queueMicrotask(() => listener({ caCertificate: Buffer.from(this.#authority.certificatePem) }));
  }

  removeCaCertificateListener(_listener: CaListener): void {}

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener);
    queueMicrotask(() => this.#tell(listener));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener);
  }

  async #renew(): Promise<void> {
    this.#current = await signServerCertificate(this.#authority, {
      hosts: this.#hosts,
      lifetimeMs: LIFETIME_MS,
    });
    for (const listener of this.#identityListeners) this.#tell(listener);
  }

  #tell(listener: IdentityListener): void {
    listener({
      certificate: Buffer.from(this.#current.chainPem),
      privateKey: Buffer.from(this.#current.keyPem),
    });
  }
}
