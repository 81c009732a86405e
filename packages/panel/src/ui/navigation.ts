interface Place {
  name: string;
  path: string;
}

const places: Readonly<Record<'admin' | 'reseller' | 'user', readonly Place[]>> = {
  user: [
    { name: 'Dashboard', path: '/' },
    { name: 'Domains', path: '/domains' },
    { name: 'Apps', path: '/apps' },
    { name: 'Databases', path: '/databases' },
    { name: 'Cron jobs', path: '/cron' },
  ],
  reseller: [
    { name: 'Accounts', path: '/accounts' },
    { name: 'Packages', path: '/packages' },
    { name: 'Pool', path: '/resellers' },
    { name: 'API tokens', path: '/security/tokens' },
    { name: 'Audit log', path: '/audit' },
  ],
  admin: [
    { name: 'Accounts', path: '/accounts' },
    { name: 'Packages', path: '/packages' },
    { name: 'Resellers', path: '/resellers' },
    { name: 'Servers', path: '/nodes' },
    { name: 'API tokens', path: '/security/tokens' },
    { name: 'Audit log', path: '/audit' },
  ],
};

/** The pages in the menu of a role. */
export function navigationOf(role: 'admin' | 'reseller' | 'user'): readonly Place[] {
  return places[role];
}
