import path from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { AcmeAuthority } from './acme.ts';
import type { Authority } from './authority.ts';
import { CertificateFiles } from './certificate-files.ts';
import { CertificateStore } from './certificate-store.ts';
import { ChallengeFiles } from './challenge-files.ts';
import { type LookUp, NameLeadsHere } from './name-check.ts';
import { NodeCertificates } from './node-certificates.ts';
import { OrderBudget } from './order-budget.ts';

/** The folder on every server that the installer set up. */
const FILES_FOLDER = '/etc/innkeeper/certificates';
const CHALLENGE_FOLDER = '/var/lib/innkeeper/acme/.well-known/acme-challenge';

export interface CertificateOptions {
  readonly directoryUrl: string;
  /** PEM; undefined: only the public authorities are trusted. */
  readonly caPem: string | undefined;
  /** Number of first orders of one name within 24 hours; renewals do not count. */
  readonly ordersOfNameADay: number;
  /** Canonical public addresses that a router translates (NAT) to this server's own. */
  readonly publicAddresses: readonly string[];
  /** Called when an order for an account has ended. */
  readonly onEnded: (uid: number) => void;
  /** For the log; contains no secret. */
  readonly onTrouble: (error: unknown) => void;
  /** Replaces the authority at the URL, and the name servers: the driver contract runs on a real server without them. */
  readonly authority?: Authority;
  readonly lookUp?: LookUp;
}

export interface CertificateSurroundings {
  readonly stateDir: string;
  /** Group of nginx's workers. */
  readonly webGid: number;
  readonly isSite: (name: string) => boolean;
  readonly changes: Changes;
}

export function createCertificates(
  options: CertificateOptions,
  { stateDir, webGid, isSite, changes }: CertificateSurroundings,
): NodeCertificates {
  const store = new CertificateStore(path.join(stateDir, 'certificates'), changes);
  const challenges = new ChallengeFiles(CHALLENGE_FOLDER, changes);
  for (const file of store.quarantined)
    options.onTrouble(new Error(`A certificate record is invalid: ${file}.`));
  return new NodeCertificates({
    store,
    challenges,
    files: new CertificateFiles(FILES_FOLDER, webGid, changes),
    authority:
      options.authority ??
      new AcmeAuthority({
        directoryUrl: options.directoryUrl,
        caPem: options.caPem,
        folder: path.join(stateDir, 'acme'),
      }),
    budget: new OrderBudget(path.join(stateDir, 'acme', 'orders.json'), options.ordersOfNameADay),
    names: new NameLeadsHere(options.publicAddresses, challenges, options.lookUp),
    isSite,
    onEnded: options.onEnded,
    onDefect: options.onTrouble,
  });
}
