import type { Child } from 'hono/jsx';

export const en = {
  usage: 'Usage over time',
  cpu: 'CPU',
  memory: 'Memory',
  disk: 'Disk space',
  traffic: 'Traffic',
  trafficOfDays: 'Traffic of 30 days',
  requests: 'Requests',
  errors: 'Errors',
  requestsAndErrors: 'Requests and errors',
  runningAccounts: 'Accounts with running processes',
  sumOfDays: (sent: string, requests: string, errors: string) =>
    `${sent} sent, ${requests} requests, ${errors} of them with an error (status 500 or above). Days begin at 0:00 UTC.`,
  nothingVisited:
    'Nobody has visited this site in the last 30 days, or its server does not report traffic yet.',
  services: 'Services',
  running: 'Running',
  stopped: 'Not running',
  servicesUnknown: 'The server is not online, so the state of its services is not known.',
  failing: 'Failing accounts',
  noneFailing: 'The servers have applied the changes of all accounts.',
  moreFailing: 'There are more failing accounts.',
  on: (server: Child): Child => ['on ', server],
  noReason: 'The server gave no reason.',
  tryAgain: 'Try again',
  tryAgainThis: (username: string) => `Try again: ${username}`,
};
