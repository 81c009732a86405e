import type { IconName } from './icon.tsx';
import type { uiTexts } from './texts/index.ts';

export interface Place {
  name: keyof (typeof uiTexts.en)['places'];
  path: string;
  icon: IconName;
}

/** Places of the sidebar under the title of their group. The first ones have none. */
interface PlaceGroup {
  group?: keyof (typeof uiTexts.en)['groups'];
  places: readonly Place[];
}

const packages: Place = { name: 'packages', path: '/packages', icon: 'package' };
const accounts: Place = { name: 'accounts', path: '/accounts', icon: 'users' };
const system: PlaceGroup = {
  group: 'system',
  places: [
    { name: 'audit', path: '/audit', icon: 'history' },
    { name: 'tokens', path: '/security/tokens', icon: 'key-round' },
    { name: 'branding', path: '/branding', icon: 'tag' },
  ],
};

const groups: Readonly<Record<'admin' | 'reseller' | 'user', readonly PlaceGroup[]>> = {
  user: [
    {
      places: [
        { name: 'dashboard', path: '/', icon: 'house' },
        { name: 'sites', path: '/sites', icon: 'globe' },
        { name: 'apps', path: '/apps', icon: 'rocket' },
        { name: 'databases', path: '/databases', icon: 'database' },
        { name: 'cron', path: '/cron', icon: 'calendar-clock' },
      ],
    },
  ],
  reseller: [
    { places: [accounts] },
    { group: 'business', places: [packages, { name: 'pool', path: '/resellers', icon: 'store' }] },
    system,
  ],
  admin: [
    { places: [accounts, { name: 'nodes', path: '/nodes', icon: 'server' }] },
    { group: 'business', places: [packages, { name: 'resellers', path: '/resellers', icon: 'store' }] },
    system,
  ],
};

/** The sidebar of a role. Its first four places are also at the bottom of a phone. */
export function navigationOf(role: 'admin' | 'reseller' | 'user'): readonly PlaceGroup[] {
  return groups[role];
}
