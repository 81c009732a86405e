import type { Owner } from '../../node/owner.ts';

/**
 * What nginx does for a name: runs PHP, serves files, proxies to a program, redirects, or shows why it does not (stopped
 * by its owner, over its bandwidth, suspended).
 */
export const siteKinds = ['php', 'static', 'proxy', 'redirect', 'stopped', 'exceeded', 'suspended'] as const;
export type SiteKind = (typeof siteKinds)[number];

export interface Site {
  readonly name: string;
  readonly kind: SiteKind;
  /** The Linux user in whose home the site's files are. */
  readonly user: string;
  /** The app whose program answers; null for every kind except `proxy`. */
  readonly appId: number | null;
  /** Key of the certificate for the name; null while there is none: then the site has HTTP only. */
  readonly certificate: string | null;
  /** Key of the certificate for `www.` before the name. */
  readonly aliasCertificate: string | null;
  /** What its owner has set, as `encodeSettings` writes it. */
  readonly settings: string;
  /** The file of passwords that the settings name. Null: none, and in what is observed, where it is right. */
  readonly passwords: string | null;
}

export interface WebState {
  /** The account's sites. A site with a missing or wrong entry has the user `''`. */
  readonly sites: readonly Site[];
  /** While nginx does not run: true for an account without sites. */
  readonly served: boolean;
}

export interface WebServer {
  /** Number of reloads since the start of the agent. */
  readonly reloads: number;
  /**
   * Checks that nginx runs and answers for the sites. Restores the sites of accounts that have lost all of theirs.
   * Returns the problems, one sentence each, without names of sites.
   */
  check(): Promise<string[]>;
  /** Validates the nginx configuration and reloads it. Throws HostError when nginx rejects it. */
  reload(): Promise<void>;
  observe(owner: Owner): Promise<WebState>;
  /**
   * Makes these the account's only sites. nginx serves them from the next request on. Resolves once it has answered for
   * one site of each kind. Leaves out names that somebody else has, and returns the reason for each.
   */
  publish(owner: Owner, sites: readonly Site[]): Promise<ReadonlyMap<string, string>>;
  /** At start, sets the sites that an account should have, and restores them if all of them are lost. */
  expect(owner: Owner, sites: readonly Site[]): void;
}
