export const en = {
  title: 'Changes of many accounts',
  of: (id: number) => `Change ${id}`,
  actions: {
    'suspend-with-reseller': 'Suspend the accounts of a reseller',
    'unsuspend-with-reseller': 'Unsuspend the accounts of a reseller',
    'change-package': 'Move accounts to another package',
    'package-limits': 'Apply the new limits of a package',
  },
  what: 'Change',
  began: 'Begun',
  by: 'By',
  state: 'State',
  running: 'In progress',
  finished: 'Finished',
  progress: 'Accounts done',
  refusedCount: (count: string, one: boolean) =>
    `${count} ${one ? 'account was' : 'accounts were'} not changed:`,
  firstOnly: (count: string) => `The first ${count} are shown.`,
  account: 'Account',
  reason: 'Reason',
  none: 'No change of many accounts has begun in the last 30 days.',
  background: 'It goes on in the background, also when this page is closed.',
};
