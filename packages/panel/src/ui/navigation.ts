import type { IconName } from './icon.tsx';

export interface Place {
  name: string;
  path: string;
  icon: IconName;
}

/** Places of the sidebar under one title. The first group has none. */
export interface PlaceGroup {
  title?: string;
  places: readonly Place[];
}

const packages: Place = { name: 'Packages', path: '/packages', icon: 'package' };
const accounts: Place = { name: 'Accounts', path: '/accounts', icon: 'users' };
const system: PlaceGroup = {
  title: 'System',
  places: [
    { name: 'Audit log', path: '/audit', icon: 'history' },
    { name: 'API tokens', path: '/security/tokens', icon: 'key-round' },
  ],
};

const groups: Readonly<Record<'admin' | 'reseller' | 'user', readonly PlaceGroup[]>> = {
  user: [
    {
      places: [
        { name: 'Dashboard', path: '/', icon: 'house' },
        { name: 'Sites', path: '/sites', icon: 'globe' },
        { name: 'Apps', path: '/apps', icon: 'rocket' },
        { name: 'Databases', path: '/databases', icon: 'database' },
        { name: 'Cron jobs', path: '/cron', icon: 'calendar-clock' },
      ],
    },
  ],
  reseller: [
    { places: [accounts] },
    { title: 'Business', places: [packages, { name: 'Pool', path: '/resellers', icon: 'store' }] },
    system,
  ],
  admin: [
    { places: [accounts, { name: 'Servers', path: '/nodes', icon: 'server' }] },
    { title: 'Business', places: [packages, { name: 'Resellers', path: '/resellers', icon: 'store' }] },
    system,
  ],
};

/** The sidebar of a role. Its first four places are also at the bottom of a phone. */
export function navigationOf(role: 'admin' | 'reseller' | 'user'): readonly PlaceGroup[] {
  return groups[role];
}
