import type { AccountSpec, CertificateStatus, DomainSpec } from '@innkeeper/protocol';
import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import type { DomainCertificates, HeldCertificate, WantedCertificate } from './host.ts';

interface CertificatesObserved {
  readonly domains: readonly DomainCertificates[];
  /** Keys that are in nginx's configuration. */
  readonly published: ReadonlySet<string>;
  /** ms since 1970 */
  readonly now: number;
}

type CertificatesChange = Change & { readonly domainId: number } & (
    | { readonly kind: 'order' | 'stop-order' | 'retire-previous' | 'forget' }
    | { readonly kind: 'place' | 'discard'; readonly key: string }
  );

/** Delay until the web driver publishes a certificate whose files are placed. */
const PUBLISH_SOON_MS = 1;
/** An order that ends requests a pass. If that request is lost, this interval finds the end. */
const OBSERVE_ORDER_MS = 60_000;

/**
 * The certificates of an account's domains. The driver orders them, places them where nginx finds them, renews them,
 * and removes them when no domain uses them. An order runs in the background. A failed order is a status of the domain,
 * not a failure of the pass. Files are placed in one pass, and the web driver publishes them in the next.
 */
export const certificatesDriver: Driver<CertificatesObserved, CertificatesChange> = {
  name: 'certificates',
  buildsOn: ['user', 'web'],
  partlyEnough: ['web'],

  async observe(spec, host) {
    const owner = ownerOf(spec);
    const domains = await host.certificates.observe(owner);
    const isPlacing = domains.some(({ held }) => held.at(-1)?.stage === 'placed');
    const { sites } = isPlacing ? await host.web.observe(owner) : { sites: [] };
    const published = new Set(sites.flatMap(({ certificate }) => certificate ?? []));
    return { domains, published, now: Date.now() };
  },

  plan(spec, { domains, published, now }) {
    const changes: CertificatesChange[] = [];
    const wanted = wantedOf(spec);
    for (const { domainId, name } of domains)
      if (!wanted.some((domain) => domain.domain_id === domainId && domain.name === name))
        changes.push({ kind: 'forget', domainId, summary: `forget the certificate of ${name}` });
    for (const domain of wanted) {
      const known = domains.find(
        ({ domainId, name }) => domainId === domain.domain_id && name === domain.name,
      );
      changes.push(...repairs(domain, known, published));
      changes.push(...orders(spec, domain, known, now));
    }
    return changes;
  },

  async apply(change, spec, { certificates }) {
    const owner = ownerOf(spec);
    const { domainId } = change;
    switch (change.kind) {
      case 'order': {
        const domain = wantedOf(spec).find(({ domain_id }) => domain_id === domainId);
        return domain === undefined ? undefined : certificates.order(owner, asWanted(spec, domain));
      }
      case 'stop-order':
        return certificates.stopOrder(owner, domainId);
      case 'place':
        return certificates.place(owner, domainId, change.key);
      case 'retire-previous':
        return certificates.retirePrevious(owner, domainId);
      case 'discard':
        return certificates.discard(owner, domainId, change.key);
      case 'forget':
        return certificates.forget(owner, domainId);
    }
  },

  statuses(spec, { domains }) {
    const certificates = wantedOf(spec).map((domain) => {
      const known = domains.find(({ domainId }) => domainId === domain.domain_id);
      return [domain.domain_id, statusOf(domain, known)] as const;
    });
    return { certificates: new Map(certificates) };
  },

  observeAgainMs(spec, { domains, published, now }) {
    const delays = wantedOf(spec).flatMap((domain) => {
      const known = domains.find(({ domainId }) => domainId === domain.domain_id);
      if (known === undefined) return [];
      const newest = known.held.at(-1);
      if (newest?.stage === 'placed' && !published.has(newest.key)) return [PUBLISH_SOON_MS];
      if (known.ordering) return [OBSERVE_ORDER_MS];
      return spec.desired_state === 'active' ? [Math.max(PUBLISH_SOON_MS, dueAt(domain, known) - now)] : [];
    });
    return delays.length === 0 ? undefined : Math.min(...delays);
  },
};

function wantedOf(spec: AccountSpec): DomainSpec[] {
  if (spec.desired_state === 'absent') return [];
  return spec.domains.filter(
    ({ desired_state, certificate_revision }) => desired_state === 'active' && certificate_revision > 0,
  );
}

function asWanted(
  spec: AccountSpec,
  { domain_id, name, certificate_revision }: DomainSpec,
): WantedCertificate {
  const alias = `www.${name}`;
  const isAliasFree = !spec.domains.some((domain) => domain.name === alias);
  return {
    domainId: domain_id,
    name,
    withAlias: isAliasFree && !name.startsWith('www.') && alias.length <= 253,
    revision: certificate_revision,
  };
}

function repairs(
  { domain_id: domainId, name }: DomainSpec,
  known: DomainCertificates | undefined,
  published: ReadonlySet<string>,
): CertificatesChange[] {
  const changes: CertificatesChange[] = [];
  for (const { key, stage, filesRight, lost } of known?.held ?? []) {
    if (lost)
      changes.push({
        kind: 'discard',
        domainId,
        key,
        summary: `discard a certificate of ${name}: its key is lost`,
      });
    else if (stage === 'issued' || !filesRight)
      changes.push({ kind: 'place', domainId, key, summary: `write the certificate of ${name}` });
  }
  const newest = known?.held.at(-1);
  if (newest?.stage === 'placed' && newest.filesRight && published.has(newest.key))
    changes.push({ kind: 'retire-previous', domainId, summary: `see the certificate of ${name} served` });
  return changes;
}

function orders(
  { desired_state }: AccountSpec,
  domain: DomainSpec,
  known: DomainCertificates | undefined,
  now: number,
): CertificatesChange[] {
  const { domain_id: domainId, name } = domain;
  if (desired_state !== 'active')
    return known?.ordering === true
      ? [{ kind: 'stop-order', domainId, summary: `stop ordering a certificate for ${name}` }]
      : [];
  if (known?.ordering === true || (known !== undefined && dueAt(domain, known) > now)) return [];
  return [{ kind: 'order', domainId, summary: `order a certificate for ${name}` }];
}

/** When the next order may start, ms since 1970. */
function dueAt({ certificate_revision: revision }: DomainSpec, known: DomainCertificates): number {
  const newest = usable(known).at(-1);
  const neededAt = newest === undefined || newest.revision < revision ? 0 : newest.renewAt;
  return Math.max(neededAt, known.orderableAt(revision));
}

function usable({ held }: DomainCertificates): HeldCertificate[] {
  return held.filter(({ lost }) => !lost);
}

/**
 * The status belongs to the requested revision; issuer and expiry belong to the served certificate. While a failed
 * attempt is retried, its message stays until there is a newer one.
 */
function statusOf(domain: DomainSpec, known: DomainCertificates | undefined): CertificateStatus {
  const { certificate_revision: revision } = domain;
  const serving = known?.held.findLast(({ stage }) => stage === 'served');
  const report = {
    revision,
    issuer: serving?.issuer ?? '',
    expires_at: serving === undefined ? 0 : Math.floor(serving.expiresAt / 1_000),
    error: '',
  };
  const failure = known?.failure;
  if (
    known !== undefined &&
    failure !== undefined &&
    (failure.revision === revision || (failure.mustWait && !known.ordering))
  )
    return {
      ...report,
      status: 'failed',
      error: failure.error,
      next_attempt_at: Math.ceil(dueAt(domain, known) / 1_000),
    };
  return { ...report, status: (serving?.revision ?? 0) >= revision ? 'active' : 'pending' };
}
