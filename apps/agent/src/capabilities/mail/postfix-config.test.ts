import type { MailRelay } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { postfixFiles, senderDomain } from './postfix-config.ts';

const relay: MailRelay = {
  host: 'relay.example.com',
  port: 587,
  encryption: 'starttls',
  sign_in: { username: 'hoster', password: 'pass word:#1' },
  sender_domain: null,
};

function fileOf(name: string, over: Partial<MailRelay> = {}, hostname = 'srv1.example.com') {
  return postfixFiles({ ...relay, ...over }, hostname).find((file) => file.name === name)!;
}

test('the password is in a secret file only', () => {
  const files = postfixFiles(relay, 'srv1.example.com');
  expect(files.filter(({ text }) => text.includes('pass word')).map(({ name }) => name)).toEqual([
    'relay-password',
  ]);
  expect(fileOf('relay-password')).toMatchObject({
    isSecret: true,
    text: expect.stringContaining('\n[relay.example.com]:587 hoster:pass word:#1\n'),
  });
});

test.each([
  ['starttls', 'secure', false],
  ['tls', 'secure', true],
  ['none', 'none', false],
] as const)('encryption %s has the level %s', (encryption, level, wraps) => {
  const { text } = fileOf('main.cf', { encryption, ...(encryption === 'none' ? { sign_in: null } : {}) });
  expect(text).toContain(`\nsmtp_tls_security_level = ${level}\n`);
  expect(text.includes('smtp_tls_wrappermode = yes')).toBe(wraps);
  expect(text.includes('smtp_sasl_auth_enable')).toBe(encryption !== 'none');
});

test('an IPv6 relay is written as Postfix reads it', () => {
  const { text } = fileOf('main.cf', { host: '2001:db8::1', encryption: 'none', sign_in: null, port: 25 });
  expect(text).toContain('\nrelayhost = [ipv6:2001:db8::1]:25\n');
});

test('nothing listens on a port, and nothing is delivered on this server', () => {
  const { text } = fileOf('master.cf');
  expect(text).not.toMatch(/\binet\b|\blocal$|pipe$/m);
  expect(fileOf('main.cf').text).toContain('\nmydestination =\n');
});

test('the queue’s senders become the real ones, and bounces to made-up senders are discarded', () => {
  const [, pattern = '', to] = /^\/(.*)\/ (.*)$/m.exec(fileOf('generic').text) ?? [];
  expect(to).toBe(['$', '{1}@$', '{2}'].join(''));
  const real = (sender: string) => sender.replace(new RegExp(pattern), '$1@$2');
  expect(real('20017+info=anna.example@innkeeper.invalid')).toBe('info@anna.example');
  expect(real('20017+a=b+c=anna.example@innkeeper.invalid')).toBe('a=b+c@anna.example');
  expect(real('info@anna.example')).toBe('info@anna.example');
  const [, discarded = ''] = /^\/(.*)\/ discard:$/m.exec(fileOf('transport').text) ?? [];
  expect('20017+anna=srv1.example.com@innkeeper.invalid').toMatch(new RegExp(discarded));
  expect('20017+anna=srv1xexample.com@innkeeper.invalid').not.toMatch(new RegExp(discarded));
});

test('a server whose host name is no domain needs a sender domain', () => {
  expect(() => senderDomain(relay, 'web1')).toThrow('Set a sender domain for the relay.');
  expect(senderDomain({ sender_domain: 'mail.example.com' }, 'web1')).toBe('mail.example.com');
  expect(fileOf('main.cf', { sender_domain: 'mail.example.com' }, 'web1').text).toContain(
    '\nmyhostname = mail.example.com\n',
  );
});
