import type { Child } from 'hono/jsx';

export const en = {
  title: 'Mail',
  titleOf: (username: string) => `Mail of ${username}`,
  accounts: 'Accounts',
  about:
    'Mail that the sites, apps and scheduled tasks of this account send, such as contact forms and password mails.',
  suspended:
    'The account is suspended, so it sends no mail. What waits in the queue is kept, and sent when the account is active again.',
  noRelay:
    'This server sends no mail yet: your provider has not set up a mail relay. Programs get an error when they send.',
  noRelayForOperator:
    'The server of this account has no mail relay, so programs get an error when they send. An admin sets one under “Mail of accounts”.',
  notIncluded: 'Your package does not include sending mail. Programs get an error when they send.',
  notIncludedForOperator:
    'The package of this account allows no mail. Programs get an error when they send. An admin sets the limits on the page of the package.',
  sent: 'Sent',
  thisHour: 'This hour',
  today: 'Today',
  counting:
    'A mail to three recipients counts as three. Hours and days begin in UTC. When a limit is reached, programs get an error until the next hour or day begins.',
  now: 'These figures are from this moment.',
  reportedAt: (moment: Child): Child => ['The server did not answer; these figures are from ', moment, '.'],
  notSent: 'Not sent',
  refusedThisHour: 'Refused by the limits this hour',
  refusedToday: 'Refused by the limits today',
  queued: 'Messages in the queue',
  waitsBecause: 'The oldest one waits because',
  queueAbout: 'Messages wait in the queue while the mail relay does not take them, for at most three days.',
  howTo: 'How programs send',
  programs: (php: Child, path: Child): Child => [
    'PHP’s ',
    php,
    ', and every program that uses ',
    path,
    ', send without any setting.',
  ],
  sender: (domain: Child): Child => [
    'The sender may be any address of your own domains. Any other is replaced by an address that ends with ',
    domain,
    '.',
  ],
  serverName: 'the name of the server',
  bounces:
    'When a mail cannot be delivered, a notice goes to the sender, so set one that you read (in PHP the fifth argument, -f). The number of the account is in a header of each mail.',
};
