import type { Owner } from '../../node/owner.ts';

/**
 * What nginx does for a name: runs PHP, serves files, proxies to a program, or shows why it does not (stopped by its
 * owner, over its bandwidth, suspended).
 */
export const siteKinds = ['php', 'static', 'proxy', 'stopped', 'exceeded', 'suspended'] as const;
export type SiteKind = (typeof siteKinds)[number];

export interface Site {
  readonly name: string;
  readonly kind: SiteKind;
  /** Folder that the site's files come from. */
  readonly root: string;
  /** Unix socket of the program; null for every kind except `proxy`. */
  readonly socket: string | null;
  /** Key of the certificate for the name; null while there is none: then the site has HTTP only. */
  readonly certificate: string | null;
  /** Key of the certificate for `www.` before the name. */
  readonly aliasCertificate: string | null;
}

export interface WebState {
  /** The account's sites in the lists. A site with missing lines has the root `''`. */
  readonly sites: readonly Site[];
  /** Whether the running nginx has read the lists. While nginx does not run: true for an account without sites. */
  readonly served: boolean;
}

export interface WebServer {
  /** Number of reloads since the start of the agent. */
  readonly reloads: number;
  /**
   * Checks that nginx runs, has read the agent's lists, and answers for the sites. Restores lists that somebody
   * changed. Returns the problems, one sentence each, without names of sites.
   */
  check(): Promise<string[]>;
  /** Validates the nginx configuration and reloads it. Throws HostError when nginx rejects it. */
  reload(): Promise<void>;
  observe(owner: Owner): Promise<WebState>;
  /**
   * Makes these the account's only sites. Resolves once the running nginx serves them, has answered for one site of
   * each kind, and no worker with older names accepts connections. Concurrent calls share one test and one reload. An
   * account that publishes too often waits (see `ReloadPace`).
   */
  publish(owner: Owner, sites: readonly Site[]): Promise<void>;
  /** At start, sets the sites that an account should have, so that a lost file is rewritten in full at once. */
  expect(owner: Owner, sites: readonly Site[]): void;
}
