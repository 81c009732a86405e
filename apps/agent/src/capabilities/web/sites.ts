import type { AccountSpec, DomainSpec } from '@innkeeper/protocol';
import type { SiteCertificates } from '../certificates/host.ts';
import { ownerOf } from '../claim.ts';
import type { Host } from '../host.ts';
import type { Site, SiteKind } from './host.ts';
import { encodeSettings } from './site-settings.ts';

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
  const domains = activeDomains(spec);
  return domains.map((domain) => {
    const { name } = domain;
    const shown = domains.find(({ domain_id }) => domain_id === domain.alias_of) ?? domain;
    const app = spec.apps.find(
      ({ domain_id, desired_state }) => domain_id === shown.domain_id && desired_state !== 'absent',
    );
    const kind = whyDown(spec, facts) ?? (shown.site.redirect === null ? kindOf(app) : 'redirect');
    const isUp = kind !== 'suspended' && kind !== 'exceeded' && kind !== 'stopped';
    return {
      name,
      kind,
      user: spec.linux_user,
      appId: kind === 'proxy' && app !== undefined ? app.app_id : null,
      certificate: null,
      aliasCertificate: null,
      ...facts.certificates.get(name),
      ...(isUp ? encodeSettings(shown.site, shown === domain ? null : shown.name) : noSettings),
    };
  });
}

const noSettings = { settings: '', passwords: null } as const;

export function isSameSites(one: readonly Site[], other: readonly Site[]): boolean {
  const texts = (sites: readonly Site[]) =>
    sites
      .map(({ name, kind, user, appId, certificate, aliasCertificate, settings }) =>
        [name, kind, user, appId, certificate, aliasCertificate, settings].join(' '),
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
