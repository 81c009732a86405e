import type { AccountSpec } from '@innkeeper/protocol';
import type { Site, WebState } from '../../host/host.ts';
import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import { documentRootOf } from '../home/document-root.ts';

interface WebChange extends Change {
  readonly kind: 'publish';
}

/** The account's names in nginx. Applied once nginx serves them and nothing older. */
export const webDriver: Driver<WebState, WebChange> = {
  name: 'web',

  observe: (spec, host) => host.web.observe(ownerOf(spec)),

  plan(spec, { sites, served }) {
    if (served && isSame(sites, sitesOf(spec))) return [];
    return [{ kind: 'publish', summary: `serve ${sitesOf(spec).length} sites` }];
  },

  async apply(_change, spec, host) {
    await host.web.publish(ownerOf(spec), sitesOf(spec));
  },
};

/** What nginx should serve for an account. */
export function sitesOf(spec: AccountSpec): Site[] {
  if (spec.desired_state === 'absent') return [];
  const kind = spec.desired_state === 'suspended' ? 'suspended' : 'php';
  return spec.domains
    .filter((domain) => domain.desired_state === 'active')
    .map(({ name }) => ({ name, kind, root: `/home/${spec.linux_user}/${documentRootOf(name)}` }));
}

function isSame(one: readonly Site[], other: readonly Site[]): boolean {
  const texts = (sites: readonly Site[]) =>
    sites.map(({ name, kind, root }) => `${name} ${kind} ${root}`).sort();
  return texts(one).join() === texts(other).join();
}
