import {
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import type { Authority, AuthorityError, AuthorityOrder, Challenge } from './authority.ts';

interface Order {
  names: readonly string[];
  status: AuthorityOrder['status'];
  open: Set<string>;
  chain: string;
}

const FOLDER = 'https://authority.invalid';

/** An authority in memory with real signatures. It accepts every name, unless a test sets another answer. */
export class FakeAuthority implements Authority {
  /** Every call, by method name. */
  readonly calls: string[] = [];
  /** The error that the method with this name throws. */
  readonly refusals = new Map<keyof Authority, AuthorityError>();
  lifetimeMs = 90 * 24 * 3_600_000;
  now = () => Date.now();
  readonly orders = new Map<string, Order>();
  #signer: Promise<CertificateAuthority> | undefined;
  #made = 0;

  async createOrder(names: readonly string[]): Promise<AuthorityOrder> {
    this.#note('createOrder');
    this.#made += 1;
    const url = `${FOLDER}/orders/${this.#made}`;
    const open = new Set(names.map((name) => `${FOLDER}/challenges/${this.#made}/${name}`));
    this.orders.set(url, { names, status: 'pending', open, chain: '' });
    return this.#show(url);
  }

  async findOrder(url: string): Promise<AuthorityOrder | undefined> {
    this.#note('findOrder');
    return this.orders.has(url) ? this.#show(url) : undefined;
  }

  async challenges({ url }: AuthorityOrder): Promise<Challenge[]> {
    this.#note('challenges');
    return [...this.orders.get(url)!.open].map((challenge, at) => {
      const token = `token-${this.#made}-${at}`;
      return { url: challenge, token, answer: `${token}.answer` };
    });
  }

  async ready(challenge: Challenge): Promise<void> {
    this.#note('ready');
    for (const order of this.orders.values())
      if (order.open.delete(challenge.url) && order.open.size === 0) order.status = 'ready';
  }

  async finalize({ url }: AuthorityOrder, names: readonly string[], keyPem: string): Promise<AuthorityOrder> {
    this.#note('finalize');
    const order = this.orders.get(url)!;
    const { lifetimeMs } = this;
    const signed = await signServerCertificate(await this.#authority(), {
      hosts: names,
      lifetimeMs,
      keyPem,
      now: new Date(this.now()),
    });
    order.chain = signed.chainPem;
    order.status = 'valid';
    return this.#show(url);
  }

  async chain({ url }: AuthorityOrder): Promise<string> {
    this.#note('chain');
    return this.orders.get(url)!.chain;
  }

  #note(method: keyof Authority): void {
    this.calls.push(method);
    const refusal = this.refusals.get(method);
    if (refusal !== undefined) throw refusal;
  }

  #authority(): Promise<CertificateAuthority> {
    this.#signer ??= createCertificateAuthority(new Date(this.now())).then(({ certificatePem, keyPem }) =>
      loadCertificateAuthority(certificatePem, keyPem),
    );
    return this.#signer;
  }

  #show(url: string): AuthorityOrder {
    const { status } = this.orders.get(url)!;
    return { url, status, authorizations: [], finalize: url, certificate: undefined };
  }
}
