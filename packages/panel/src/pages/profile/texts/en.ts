export const en = {
  title: 'Name and email',
  security: 'Security',
  you: 'You',
  name: 'Name',
  email: 'Email address',
  emailHint:
    'Mails for you go to this address, also the link for a forgotten password. The panel asks for your password before it changes.',
  save: 'Save',
  saved: 'Your name and email address were saved.',
  asOperator:
    'You are signed in as this customer. Only the customer can change this name and email address here.',
};
