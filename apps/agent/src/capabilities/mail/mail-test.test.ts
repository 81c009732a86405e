import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MailTest, readOutcome } from './mail-test.ts';

const SENT =
  '4jZ4Th6FZVzJ9d1: to=<a@b.example>, relay=relay.example.com[10.0.0.1]:587, delay=0.2, delays=0/0/0.1/0.1, dsn=2.0.0, status=sent (250 OK)';

test('the newest outcome of the message counts, and no other message', () => {
  const deferred = SENT.replace('status=sent (250 OK)', 'status=deferred (454 try later)');
  expect(readOutcome(`${deferred}\n${SENT}\n`, '4jZ4Th6FZVzJ9d1')).toEqual({
    state: 'sent',
    answer: '250 OK',
  });
  expect(readOutcome(deferred, '4jZ4Th6FZVzJ9d1')).toEqual({ state: 'deferred', answer: '454 try later' });
  expect(readOutcome(SENT.replace('sent', 'bounced'), '4jZ4Th6FZVzJ9d1')?.state).toBe('refused');
  expect(readOutcome(SENT, '5aZ4Th6FZVzJ9d1')).toBeUndefined();
  expect(readOutcome('4jZ4Th6FZVzJ9d1: removed', '4jZ4Th6FZVzJ9d1')).toBeUndefined();
});

/** A queue that answers as Postfix does. Returns the path of its socket, and what it has received. */
async function startQueue(answerToData = '250 2.0.0 Ok: queued as 4jZ4Th6FZVzJ9d1') {
  const folder = await mkdtemp(join(tmpdir(), 'mail-test-'));
  const lines: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 srv1 ESMTP\r\n');
    let isData = false;
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\r\n').slice(0, -1)) {
        lines.push(line);
        if (isData && line !== '.') continue;
        if (line === 'DATA') isData = true;
        if (line === '.') isData = false;
        socket.write(
          line === 'DATA' ? '354 go\r\n' : line === '.' ? `${answerToData}\r\n` : '250-more\r\n250 ok\r\n',
        );
      }
    });
  });
  const path = join(folder, 'socket');
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  return { path, lines };
}

function testOf(socket: string, log: () => string, domain: string | undefined = 'hosting.example.net') {
  return new MailTest({
    exec: { run: async () => ({ exitCode: 0, stdout: log(), stderr: '' }) },
    senderDomain: () => domain,
    unixMs: () => 1_000,
    socket,
    pause: async () => {},
  });
}

test('a test mail waits until the log has its outcome', async () => {
  const { path, lines } = await startQueue();
  let log = '';
  const mail = testOf(path, () => log);
  expect(mail.state.state).toBe('none');
  expect(await mail.start('a@b.example')).toMatchObject({ to: 'a@b.example', state: 'waiting' });
  log = SENT;
  await vi.waitFor(() => expect(mail.state).toMatchObject({ state: 'sent', answer: '250 OK' }));
  expect(lines).toContain('MAIL FROM:<0+test=hosting.example.net@innkeeper.invalid>');
  expect(lines).toContain('RCPT TO:<a@b.example>');
});

test('a queue that is full or does not run is a failure with its words', async () => {
  const { path } = await startQueue('452 4.3.1 Insufficient system storage');
  expect(await testOf(path, () => '').start('a@b.example')).toMatchObject({
    state: 'failed',
    answer: 'The mail queue answered: 452 4.3.1 Insufficient system storage',
  });
  expect(await testOf('/does/not/exist', () => '').start('a@b.example')).toMatchObject({
    state: 'failed',
    answer: 'The mail queue of this server does not run.',
  });
});

test('a server without a relay sends none', async () => {
  const mail = new MailTest({
    exec: { run: vi.fn() },
    senderDomain: () => undefined,
    unixMs: () => 0,
  });
  expect(await mail.start('a@b.example')).toMatchObject({ state: 'no-relay' });
  expect(mail.state.state).toBe('none');
});
