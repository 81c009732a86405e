import type { Owner } from '../../node/owner.ts';

/**
 * What nginx does for a name: runs PHP, serves files, asks a program, or says why it does not (stopped by its
 * owner, over its bandwidth, suspended).
 */
export const siteKinds = ['php', 'static', 'proxy', 'stopped', 'exceeded', 'suspended'] as const;
export type SiteKind = (typeof siteKinds)[number];

export interface Site {
  readonly name: string;
  readonly kind: SiteKind;
  /** Folder that files come from. */
  readonly root: string;
  /** Unix socket of the program; null but for `proxy`. */
  readonly socket: string | null;
  /** Key of the certificate for the name; null while there is none: HTTP only. */
  readonly certificate: string | null;
  /** The same for `www.` before the name. */
  readonly aliasCertificate: string | null;
}

export interface WebState {
  /** The account's sites in the lists; one with lines missing has the root `''`. */
  readonly sites: readonly Site[];
  /** Whether the running nginx has read the lists. While none runs, true for an account without sites. */
  readonly served: boolean;
}

export interface WebServer {
  /** Reloads since the start of the agent. */
  readonly reloads: number;
  /**
   * Looks whether nginx runs, reads the lists that the agent wrote, and answers for the sites; writes lists again that
   * were changed. Gives what is wrong, a sentence each, without names of sites.
   */
  check(): Promise<string[]>;
  /** Has nginx read its configuration again, once that is right. HostError when it refuses it. */
  reload(): Promise<void>;
  observe(owner: Owner): Promise<WebState>;
  /**
   * Makes these the account's only sites. Resolves once the running nginx serves them, has answered for one of each
   * kind, and no worker with older names accepts connections. Concurrent calls share one test and one reload; an account
   * that asks for very many waits for its turn.
   */
  publish(owner: Owner, sites: readonly Site[]): Promise<void>;
  /** Tells at start what an account should have, so that a lost file is written whole at once. */
  expect(owner: Owner, sites: readonly Site[]): void;
}
