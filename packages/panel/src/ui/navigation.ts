import { type Action, may, type Role } from '@innkeeper/domain';
import type { IconName } from './icon.tsx';
import type { uiTexts } from './texts/index.ts';

export interface Place {
  name: keyof (typeof uiTexts.en)['places'];
  path: string;
  icon: IconName;
  /** The place is only for roles that may do this. */
  needs?: Action;
}

/** Places of the sidebar under the title of their group. The first ones have none. */
interface PlaceGroup {
  group?: keyof (typeof uiTexts.en)['groups'];
  places: readonly Place[];
}

const packages: Place = { name: 'packages', path: '/packages', icon: 'package' };
const accounts: Place = { name: 'accounts', path: '/accounts', icon: 'users' };
const overview: Place = { name: 'overview', path: '/', icon: 'house' };
const system: PlaceGroup = {
  group: 'system',
  places: [
    { name: 'audit', path: '/audit', icon: 'history' },
    { name: 'staff', path: '/staff', icon: 'headset', needs: 'staff.invite' },
    { name: 'tokens', path: '/security/tokens', icon: 'key-round', needs: 'token.create' },
    { name: 'branding', path: '/branding', icon: 'tag', needs: 'brand.set' },
    { name: 'mail', path: '/mail', icon: 'mail', needs: 'mail.set' },
    { name: 'mailRelay', path: '/mail-relay', icon: 'mail', needs: 'mail-relay.set' },
    { name: 'php', path: '/php', icon: 'globe', needs: 'php.limits' },
  ],
};

const staff: readonly PlaceGroup[] = [
  { places: [overview, accounts, { name: 'nodes', path: '/nodes', icon: 'server' }] },
  { group: 'business', places: [packages, { name: 'resellers', path: '/resellers', icon: 'store' }] },
  system,
];

const groups: Readonly<Record<Role, readonly PlaceGroup[]>> = {
  user: [
    {
      places: [
        { name: 'dashboard', path: '/', icon: 'house' },
        { name: 'sites', path: '/sites', icon: 'globe' },
        { name: 'apps', path: '/apps', icon: 'rocket' },
        { name: 'files', path: '/files', icon: 'folder' },
        { name: 'databases', path: '/databases', icon: 'database' },
        { name: 'cron', path: '/cron', icon: 'calendar-clock' },
        { name: 'terminal', path: '/terminal', icon: 'terminal' },
        { name: 'sentMail', path: '/sent-mail', icon: 'mail' },
        { name: 'sshKeys', path: '/ssh-keys', icon: 'key-round' },
      ],
    },
  ],
  reseller: [
    { places: [overview, accounts] },
    { group: 'business', places: [packages, { name: 'pool', path: '/resellers', icon: 'store' }] },
    system,
  ],
  admin: staff,
  support: staff,
  read_only: staff,
};

/** The sidebar of a role. Its first four places are also at the bottom of a phone. */
export function navigationOf(role: Role): readonly PlaceGroup[] {
  const offered = ({ needs }: Place) => needs === undefined || may(role, needs);
  return groups[role].map((group) => ({ ...group, places: group.places.filter(offered) }));
}
