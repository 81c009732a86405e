import { HostError } from '../../node/host-error.ts';
import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import type { WebState } from './host.ts';
import { isSameSites, type SiteFacts, siteFactsOf, sitesOf } from './sites.ts';

interface WebObserved {
  readonly web: WebState;
  readonly facts: SiteFacts;
}

interface WebChange extends Change {
  readonly kind: 'publish';
}

/**
 * The account's names in nginx. Applied once nginx serves these names and no older ones. A name that somebody else has does
 * not hold the others back: it is reported after all of them are served.
 */
export const webDriver: Driver<WebObserved, WebChange> = {
  name: 'web',
  isShared: true,

  async observe(spec, host) {
    const web = await host.web.observe(ownerOf(spec));
    return { web, facts: siteFactsOf(spec, host) };
  },

  plan(spec, { web: { sites, served }, facts }) {
    const wanted = sitesOf(spec, facts);
    if (served && isSameSites(sites, wanted)) return [];
    return [{ kind: 'publish', summary: `serve ${wanted.length} sites` }];
  },

  async apply(_change, spec, host) {
    const taken = await host.web.publish(ownerOf(spec), sitesOf(spec, siteFactsOf(spec, host)));
    if (taken.size === 0) return;
    const concerned = spec.domains.filter(({ name }) => taken.has(name));
    throw new HostError('Conflict', [...taken.values()].join(' '), {
      concerns: concerned.map(({ domain_id }) => domain_id),
    });
  },
};
