/**
 * `missing`: nothing is under way. `failed`: with the sentence why; undefined `retryInMs`: only a human changes that.
 */
export type NodeVersionState =
  | { readonly kind: 'ready' | 'installing' | 'missing' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryInMs: number | undefined };

/** Versions of Node.js, by their major version: /opt/innkeeper/node/<major>/bin has node, npm and npx. */
export interface NodeVersions {
  /** What apps can have, here already or not. */
  readonly offered: readonly string[];
  state(major: string): Promise<NodeVersionState>;
  /** Starts to fetch one that is not here; it goes on by itself. */
  install(major: string): void;
}
