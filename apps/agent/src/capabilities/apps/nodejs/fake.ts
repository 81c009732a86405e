import type { NodeVersionState, NodeVersions } from './host.ts';

/** Versions of Node.js that are installed at the first request. */
export class FakeNodeVersions implements NodeVersions {
  readonly offered = ['20', '22'];
  readonly #states = new Map<string, NodeVersionState>();

  async state(major: string): Promise<NodeVersionState> {
    return this.#states.get(major) ?? { kind: 'missing' };
  }

  install(major: string): void {
    this.#states.set(major, { kind: 'ready' });
  }

  set(major: string, state: NodeVersionState): void {
    this.#states.set(major, state);
  }
}
