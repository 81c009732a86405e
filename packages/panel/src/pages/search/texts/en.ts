export const en = {
  title: 'Search',
  label: 'Search for',
  results: 'Results',
  nothing: 'Nothing matches. Accounts are found by the beginning of their name, email address or domain.',
  nothingOfCustomer: 'Nothing matches.',
  tooShort: 'Type at least two characters.',
  kinds: {
    account: 'Account',
    app: 'App',
    database: 'Database',
    node: 'Server',
    package: 'Package',
    page: 'Page',
    reseller: 'Resellers',
    site: 'Website',
  },
};
