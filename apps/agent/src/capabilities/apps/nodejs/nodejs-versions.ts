import { backoffMs } from '../../../node/backoff.ts';
import { HostError } from '../../../node/host-error.ts';
import type { NodejsVersionState, NodejsVersions } from './host.ts';

export interface NodejsVersionsDeps {
  readonly offered: readonly string[];
  /** Returns the exact installed version. */
  readonly findPlaced: (major: string) => Promise<string | undefined>;
  readonly place: (major: string) => Promise<unknown>;
  readonly now: () => number;
}

const RETRY = { firstMs: 10_000, longestMs: 600_000 };

/** Fetches a version when an app first needs it, once for all apps that wait for it. Retries after a failure. */
export class NodejsVersionsOnDemand implements NodejsVersions {
  readonly #deps: NodejsVersionsDeps;
  readonly #underWay = new Set<string>();
  readonly #failures = new Map<string, { reason: string; count: number; retryAt: number }>();

  constructor(deps: NodejsVersionsDeps) {
    this.#deps = deps;
  }

  get offered(): readonly string[] {
    return this.#deps.offered;
  }

  async state(major: string): Promise<NodejsVersionState> {
    if ((await this.#deps.findPlaced(major)) !== undefined) return { kind: 'ready' };
    if (!this.#deps.offered.includes(major))
      return { kind: 'failed', reason: this.#notOffered(major), retryInMs: undefined };
    if (this.#underWay.has(major)) return { kind: 'installing' };
    const failure = this.#failures.get(major);
    if (failure === undefined) return { kind: 'missing' };
    const retryInMs = failure.retryAt - this.#deps.now();
    return retryInMs <= 0 ? { kind: 'missing' } : { kind: 'failed', reason: failure.reason, retryInMs };
  }

  install(major: string): void {
    if (this.#underWay.has(major) || !this.#deps.offered.includes(major)) return;
    this.#underWay.add(major);
    void this.#place(major).finally(() => this.#underWay.delete(major));
  }

  async #place(major: string): Promise<void> {
    try {
      await this.#deps.place(major);
      this.#failures.delete(major);
    } catch (error) {
      const message = error instanceof HostError ? error.message : 'an unexpected error';
      const count = (this.#failures.get(major)?.count ?? 0) + 1;
      const reason = `Node.js ${major} could not be installed: ${message}`;
      this.#failures.set(major, { reason, count, retryAt: this.#deps.now() + backoffMs(RETRY, count) });
    }
  }

  #notOffered(major: string): string {
    return `Node.js ${major} is not available on this server. Available versions: ${this.#deps.offered.join(', ')}.`;
  }
}
