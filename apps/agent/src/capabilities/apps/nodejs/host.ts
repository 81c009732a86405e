/**
 * `missing`: no installation runs. `failed`: with the reason as a sentence; undefined `retryInMs`: no automatic retry.
 */
export type NodejsVersionState =
  | { readonly kind: 'ready' | 'installing' | 'missing' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryInMs: number | undefined };

/** Versions of Node.js, by their major version: /opt/innkeeper/node/<major>/bin has node, npm and npx. */
export interface NodejsVersions {
  /** Versions that apps can use, installed or not. */
  readonly offered: readonly string[];
  state(major: string): Promise<NodejsVersionState>;
  /** Starts to fetch a missing version in the background. */
  install(major: string): void;
}
