export const en = {
  accounts: 'Accounts',
  edit: 'Name and email',
  title: (username: string) => `Name and email of ${username}`,
  name: 'Contact name',
  email: 'Email address',
  emailHint: 'Mails about the account go there. Links that were mailed to the former address stop working.',
  save: 'Save',
  saved: 'The name and email address were saved.',
};
