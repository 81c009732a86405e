import type { Child } from 'hono/jsx';

export const en = {
  title: 'FTP and SSH',
  logIn: 'SSH sign-in of the account',
  notAllowed:
    'This account has no terminal access, so nobody can sign in to it over SSH or SFTP. Your provider can change that. Keys work as soon as it has.',
  command: 'SSH command',
  sftp: 'SFTP address',
  password: (link: Child): Child => [
    'Sign in with a key of this page, or with the password of this account: ',
    link,
  ],
  passwordLink: 'Password and security',
  keys: 'Public keys',
  name: 'Name',
  type: 'Type',
  fingerprint: 'Fingerprint',
  added: 'Added',
  none: 'There is no key yet. A key is safer than a password, and programs can use it.',
  remove: 'Remove',
  removeNow: (name: string) => `Remove ${name}`,
  removeWarning:
    'Nobody can sign in with this key afterwards. Sessions that are open stay open. Keys in the file .ssh/authorized_keys of the home are not affected.',
  addOne: 'Add a key',
  publicKey: 'Public key',
  publicKeyHint: (example: Child): Child => [
    'One line from a .pub file, for instance ~/.ssh/id_ed25519.pub. To make a pair of keys: ',
    example,
  ],
  nameHint: 'So that you recognize it. Default: the comment at the end of the key.',
  add: 'Add the key',
  full: (limit: string) => `The account has ${limit} keys, which is the limit. Remove one to add another.`,
  wasAdded: (name: string) => `The key ${name} was added.`,
  wasRemoved: (name: string) => `The key ${name} was removed.`,
};
