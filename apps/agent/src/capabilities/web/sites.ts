import type { AccountSpec, DomainSpec } from '@innkeeper/protocol';
import type { SiteCertificates } from '../certificates/host.ts';
import { ownerOf } from '../claim.ts';
import type { Host } from '../host.ts';
import type { Site, SiteKind } from './host.ts';

/** Facts about an account that nginx needs and the spec does not contain. */
export interface SiteFacts {
  /** Keyed by the name of a domain. */
  readonly certificates: ReadonlyMap<string, SiteCertificates>;
  /** The account has used up its bandwidth of this month. */
  readonly isExceeded: boolean;
}

export function siteFactsOf(spec: AccountSpec, host: Host): SiteFacts {
  const owner = ownerOf(spec);
  const names = activeDomains(spec).map(({ name }) => name);
  return {
    certificates: new Map(names.map((name) => [name, host.certificates.current(owner, name)])),
    isExceeded: host.traffic.isExceeded(owner, spec.limits.bandwidth_mb),
  };
}

/** Returns the sites that nginx should serve for an account. A domain without an app has PHP. */
export function sitesOf(spec: AccountSpec, facts: SiteFacts): Site[] {
  return activeDomains(spec).map((domain) => {
    const { name } = domain;
    const app = spec.apps.find(
      ({ domain_id, desired_state }) => domain_id === domain.domain_id && desired_state !== 'absent',
    );
    const kind = whyDown(spec, facts) ?? kindOf(app);
    return {
      name,
      kind,
      user: spec.linux_user,
      appId: kind === 'proxy' && app !== undefined ? app.app_id : null,
      certificate: null,
      aliasCertificate: null,
      ...facts.certificates.get(name),
    };
  });
}

export function isSameSites(one: readonly Site[], other: readonly Site[]): boolean {
  const texts = (sites: readonly Site[]) =>
    sites
      .map(({ name, kind, user, appId, certificate, aliasCertificate }) =>
        [name, kind, user, appId, certificate, aliasCertificate].join(' '),
      )
      .sort();
  return texts(one).join() === texts(other).join();
}

function activeDomains(spec: AccountSpec): DomainSpec[] {
  if (spec.desired_state === 'absent') return [];
  return spec.domains.filter((domain) => domain.desired_state === 'active');
}

function whyDown({ desired_state }: AccountSpec, { isExceeded }: SiteFacts): SiteKind | undefined {
  if (desired_state === 'suspended') return 'suspended';
  return isExceeded ? 'exceeded' : undefined;
}

function kindOf(app: AccountSpec['apps'][number] | undefined): SiteKind {
  if (app === undefined) return 'php';
  if (app.desired_state === 'stopped') return 'stopped';
  return app.runtime === 'nodejs' ? 'proxy' : app.runtime;
}
