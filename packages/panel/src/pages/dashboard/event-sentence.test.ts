import { expect, test } from 'vitest';
import { eventSentence } from './event-sentence.ts';
import { dashboardTexts } from './texts/index.ts';

test.each<[action: string, details: Record<string, unknown>, sentence: string]>([
  ['account.create', { after: { username: 'ada' } }, 'The account was created.'],
  ['domain.create', { after: { domain_name: 'example.com' } }, 'Domain example.com was added.'],
  [
    'domain.install-ssl',
    { domain_name: 'example.com', after: { ssl_status: 'pending' } },
    'A certificate for example.com was requested.',
  ],
  [
    'domain.delete',
    { before: { domain_name: 'example.com' } },
    'The removal of domain example.com was started.',
  ],
  ['domain.removed', { domains: ['example.com'] }, 'Domain example.com was removed from the server.'],
  [
    'domain.removed',
    { domains: ['a.test', 'b.test'] },
    'Domains a.test, b.test were removed from the server.',
  ],
  ['app.removed', { before: { apps: ['Shop'] } }, 'App Shop was removed from the server.'],
  ['database.removed', {}, 'Databases were removed from the server.'],
  [
    'database.allow-ip',
    { db_name: 'ada_shop', before: { allowed_ips: ['::1'] }, after: { allowed_ips: ['::1', '192.0.2.1'] } },
    '192.0.2.1 was allowed to connect to database ada_shop.',
  ],
  [
    'database.revoke-ip',
    { db_name: 'ada_shop', before: { allowed_ips: ['192.0.2.1'] }, after: { allowed_ips: [] } },
    '192.0.2.1 can no longer connect to database ada_shop.',
  ],
  ['database.allow-ip', { db_name: 'ada_shop' }, 'An address was allowed to connect to database ada_shop.'],
  ['app.create', { before: null, after: { name: 'Shop' } }, 'App Shop was installed.'],
  ['cron-job.update', { name: 'Nightly', after: { enabled: false } }, 'Scheduled task Nightly was changed.'],
  ['cron-job.create', {}, 'Scheduled task (unnamed) was added.'],
])('%s %j: %s', (action, details, sentence) => {
  expect(eventSentence({ action, details }, dashboardTexts.en)).toBe(sentence);
});

test('an event without a sentence shows its kind, never its code', () => {
  expect(eventSentence({ action: 'app.polish', details: {} }, dashboardTexts.en)).toBe(
    'Something about an app was changed.',
  );
  expect(eventSentence({ action: 'constructor', details: {} }, dashboardTexts.en)).toBe(
    'Something about the account was changed.',
  );
});
