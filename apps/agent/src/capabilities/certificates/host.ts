import type { Owner } from '../../node/owner.ts';
import type { Site } from '../web/host.ts';

/** Which certificate serves a name and `www.` before it; null for none. */
export type SiteCertificates = Pick<Site, 'certificate' | 'aliasCertificate'>;

/** The kind of trace that a file of a certificate is which no certificate knows of any more. */
export const CERTIFICATE_FILE = 'certificate file';

/** A certificate as a spec wants it. */
export interface WantedCertificate {
  readonly domainId: number;
  readonly name: string;
  /** Whether `www.` before the name may be on it too. */
  readonly withAlias: boolean;
  readonly revision: number;
}

/** One that an authority has issued. */
export interface HeldCertificate {
  readonly key: string;
  readonly revision: number;
  readonly issuer: string;
  /** ms since 1970, like every time here. */
  readonly expiresAt: number;
  readonly renewAt: number;
  /** `issued`: nginx has no files of it yet; `placed`: it may be told of it; `served`: seen over TLS. */
  readonly stage: 'issued' | 'placed' | 'served';
  /** Whether its files are as they should be; nothing is said of those that are not placed. */
  readonly filesRight: boolean;
  /** Whether its files cannot be made again. */
  readonly lost: boolean;
}

/** What there is for one domain of an account. */
export interface DomainCertificates {
  readonly domainId: number;
  readonly name: string;
  /** Oldest first. */
  readonly held: readonly HeldCertificate[];
  /** An order goes on, or waits for its turn. */
  readonly ordering: boolean;
  /** The last attempt, when it failed. */
  readonly failure:
    | { readonly revision: number; readonly error: string; readonly mustWait: boolean }
    | undefined;
  /** From when on one of this revision may be ordered. */
  orderableAt(revision: number): number;
}

/** Certificates on the node, and the orders for them, which go on by themselves. */
export interface Certificates {
  /** What nginx shall serve for a domain of the account, from memory. */
  current(owner: Owner, domainName: string): SiteCertificates;
  /** Everything of the account's, wanted or not. */
  observe(owner: Owner): Promise<DomainCertificates[]>;
  /** Starts an order; a pass over the account is asked for when it has ended. */
  order(owner: Owner, wanted: WantedCertificate): Promise<void>;
  /** What an order has begun is kept for the next one. */
  stopOrder(owner: Owner, domainId: number): Promise<void>;
  /** Writes the files that nginx reads. Throws HostError `Conflict` for files of another hand. */
  place(owner: Owner, domainId: number, key: string): Promise<void>;
  /** Removes those before the newest, once that is seen over TLS. Throws HostError while it is not. */
  retirePrevious(owner: Owner, domainId: number): Promise<void>;
  /** Takes one away that is of no use. */
  discard(owner: Owner, domainId: number, key: string): Promise<void>;
  /** Everything of a domain: order, certificates, records. */
  forget(owner: Owner, domainId: number): Promise<void>;
  /** Resolves once no order waits or goes on. */
  idle(): Promise<void>;
  /** Ends all orders; they are taken up again by the next agent. */
  stop(): Promise<void>;
}
