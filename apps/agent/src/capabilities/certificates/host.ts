import type { Owner } from '../../node/owner.ts';
import type { Site } from '../web/host.ts';

/** The certificates that serve a name and `www.` before it; null for none. */
export type SiteCertificates = Pick<Site, 'certificate' | 'aliasCertificate'>;

/** Kind of trace: a certificate file that is in no record any more. */
export const CERTIFICATE_FILE = 'certificate file';

/** A certificate as a spec wants it. */
export interface WantedCertificate {
  readonly domainId: number;
  readonly name: string;
  /** Whether the certificate may also include `www.` before the name. */
  readonly withAlias: boolean;
  readonly revision: number;
}

/** A certificate that an authority has issued. */
export interface HeldCertificate {
  readonly key: string;
  readonly revision: number;
  readonly issuer: string;
  /** ms since 1970, like every time here. */
  readonly expiresAt: number;
  readonly renewAt: number;
  /** `issued`: nginx has no files of it yet; `placed`: nginx may use it; `served`: seen over TLS. */
  readonly stage: 'issued' | 'placed' | 'served';
  /** Whether its files are right; meaningless for certificates that are not placed. */
  readonly filesRight: boolean;
  /** Whether its files cannot be created again. */
  readonly lost: boolean;
}

/** The certificates of one domain of an account, and their order. */
export interface DomainCertificates {
  readonly domainId: number;
  readonly name: string;
  /** Oldest first. */
  readonly held: readonly HeldCertificate[];
  /** An order runs, or waits for its turn. */
  readonly ordering: boolean;
  /** The last attempt, when it failed. */
  readonly failure:
    | { readonly revision: number; readonly error: string; readonly mustWait: boolean }
    | undefined;
  /** From when on a certificate of this revision may be ordered. */
  orderableAt(revision: number): number;
}

/** Certificates on the node, and their orders, which run in the background. */
export interface Certificates {
  /** The certificates that nginx should serve for a domain of the account, from memory. */
  current(owner: Owner, domainName: string): SiteCertificates;
  /** All certificates of the account, wanted or not. */
  observe(owner: Owner): Promise<DomainCertificates[]>;
  /** Starts an order. When it has ended, a pass over the account is requested. */
  order(owner: Owner, wanted: WantedCertificate): Promise<void>;
  /** The order's state is kept for the next attempt. */
  stopOrder(owner: Owner, domainId: number): Promise<void>;
  /** Writes the files that nginx reads. Throws HostError `Conflict` for foreign files. */
  place(owner: Owner, domainId: number, key: string): Promise<void>;
  /** Removes the certificates before the newest, after the newest was seen over TLS. Throws HostError until then. */
  retirePrevious(owner: Owner, domainId: number): Promise<void>;
  /** Removes a certificate that has no use. */
  discard(owner: Owner, domainId: number, key: string): Promise<void>;
  /** Removes everything of a domain: order, certificates, records. */
  forget(owner: Owner, domainId: number): Promise<void>;
  /** Resolves when no order runs or waits. */
  idle(): Promise<void>;
  /** Stops all orders. The next agent continues them. */
  stop(): Promise<void>;
}
