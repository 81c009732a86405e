import { DomainError } from '@innkeeper/domain';
import { expect, it } from 'vitest';
import { createEnrollAttempts } from './enroll-attempts.ts';

const refuse = () => Promise.reject(new DomainError('forbidden', 'The join token is unknown.'));
const codeOf = (result: Promise<unknown>) =>
  result.then(
    () => 'enrolled',
    (error: DomainError) => error.code,
  );

it('an address with 20 refused attempts waits for a minute', async () => {
  let now = 0;
  const attempts = createEnrollAttempts(() => now);
  for (let tried = 0; tried < 20; tried++)
    expect(await codeOf(attempts.run(`192.0.2.1:${4_000 + tried}`, refuse))).toBe('forbidden');
  let ran = false;
  const good = async () => {
    ran = true;
  };
  expect(await codeOf(attempts.run('192.0.2.1:9', good))).toBe('quota_exceeded');
  expect(ran).toBe(false);
  expect(await codeOf(attempts.run('192.0.2.2:9', good))).toBe('enrolled');
  now = 60_000;
  expect(await codeOf(attempts.run('192.0.2.1:9', good))).toBe('enrolled');
});

it('an IPv6 network counts as one address, and a mapped address as its IPv4 address', async () => {
  const attempts = createEnrollAttempts(() => 0);
  for (let tried = 0; tried < 20; tried++) {
    await codeOf(attempts.run(`[2001:db8:0:1::${tried + 1}]:80`, refuse));
    await codeOf(attempts.run('[::ffff:192.0.2.7]:80', refuse));
  }
  expect(await codeOf(attempts.run('[2001:db8::1:ffff:0:0:1]:80', async () => {}))).toBe('quota_exceeded');
  expect(await codeOf(attempts.run('[2001:db8:0:2::1]:80', async () => {}))).toBe('enrolled');
  expect(await codeOf(attempts.run('192.0.2.7:80', async () => {}))).toBe('quota_exceeded');
});

it('unexpected errors and successes do not count', async () => {
  const attempts = createEnrollAttempts(() => 0);
  for (let tried = 0; tried < 30; tried++) {
    await codeOf(attempts.run('192.0.2.1:1', async () => {}));
    await codeOf(attempts.run('192.0.2.1:1', () => Promise.reject(new Error('The database is gone.'))));
  }
  expect(await codeOf(attempts.run('192.0.2.1:1', async () => {}))).toBe('enrolled');
});
