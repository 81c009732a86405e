import type { NodejsVersionState, NodejsVersions } from './host.ts';

/** Versions of Node.js that are installed at the first request. */
export class FakeNodejsVersions implements NodejsVersions {
  readonly offered = ['20', '22'];
  readonly #states = new Map<string, NodejsVersionState>();

  async state(major: string): Promise<NodejsVersionState> {
    return this.#states.get(major) ?? { kind: 'missing' };
  }

  install(major: string): void {
    this.#states.set(major, { kind: 'ready' });
  }

  set(major: string, state: NodejsVersionState): void {
    this.#states.set(major, state);
  }
}
