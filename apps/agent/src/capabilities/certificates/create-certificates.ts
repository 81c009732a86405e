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

/** Of every server that the installer made. */
const FILES_FOLDER = '/etc/innkeeper/certificates';
const CHALLENGE_FOLDER = '/var/lib/innkeeper/acme/.well-known/acme-challenge';

export interface CertificateOptions {
  readonly directoryUrl: string;
  /** PEM; undefined: the public authorities alone are believed. */
  readonly caPem: string | undefined;
  /** First orders of one name within 24 hours; renewals do not count. */
  readonly ordersOfNameADay: number;
  /** Canonical addresses that are translated to this server's own. */
  readonly publicAddresses: readonly string[];
  /** An order for an account has ended. */
  readonly onEnded: (uid: number) => void;
  /** What is for the log: it holds no secret. */
  readonly onTrouble: (error: unknown) => void;
  /** Instead of the one at the URL. */
  readonly authority?: Authority;
  readonly lookUp?: LookUp;
}

export interface CertificateSurroundings {
  readonly stateDir: string;
  /** Of nginx's workers. */
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
