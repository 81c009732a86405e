import type { Child } from 'hono/jsx';

export const en = {
  forgot: 'Forgotten password',
  about: 'Enter your username. We send a link to the email address of this user; it sets a new password.',
  username: 'Username',
  send: 'Send the link',
  requested:
    'If there is a user with this name, a mail with a link is on its way. The link works once, for 30 minutes.',
  withoutMail: 'This panel cannot send mail. Contact your provider to get a new password.',
  contact: 'Contact your provider',
  back: 'Back to the sign-in',
  newTitle: 'Set a new password',
  newFor: (username: Child): Child => [
    'For the user ',
    username,
    '. All browsers of this user are signed out.',
  ],
  password: 'New password',
  passwordHint: 'At least 8 characters.',
  repeat: 'Repeat the new password',
  set: 'Set the password',
  notRepeated: 'The two new passwords do not match.',
  done: 'Your password was set. Sign in with it.',
};
