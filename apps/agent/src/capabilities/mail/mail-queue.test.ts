import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MailQueue, readQueue } from './mail-queue.ts';

const line = (over: object) =>
  JSON.stringify({
    queue_name: 'deferred',
    queue_id: '4jZ4Th6FZVzJ9d1',
    arrival_time: 1_795_576_312,
    message_size: 400,
    sender: '20017+info=anna.example@innkeeper.invalid',
    recipients: [{ address: 'bob@example.org', delay_reason: 'connect to relay: Connection refused' }],
    ...over,
  });

test('a message is attributed by its sender, and a bounce by its recipient', () => {
  const text = [
    line({}),
    line({
      queue_name: 'hold',
      sender: 'MAILER-DAEMON',
      recipients: [{ address: '20018+a=b=c.example@innkeeper.invalid' }],
    }),
    line({ sender: '0+test=hosting.example@innkeeper.invalid' }),
    line({ sender: 'somebody@example.org' }),
  ].join('\n');
  expect(readQueue(text)).toMatchObject([
    {
      uid: 20_017,
      isHeld: false,
      bytes: 400,
      arrivedAt: 1_795_576_312,
      reason: 'connect to relay: Connection refused',
    },
    { uid: 20_018, isHeld: true, reason: '' },
    { uid: 0 },
    { uid: undefined },
  ]);
});

test.each([
  ['no JSON', 'mail system is down'],
  ['an id that is an option', line({ queue_id: '-d ALL' })],
  ['no id', line({ queue_id: undefined })],
])('a line with %s is ignored', (_, text) => expect(readQueue(`${text}\n`)).toEqual([]));

test('a reason of the relay has no control characters', () => {
  const [mail] = readQueue(
    line({ recipients: [{ address: 'a@b.example', delay_reason: 'a\u001b[2Jb\nc' }] }),
  );
  expect(mail?.reason).toBe('a?[2Jb?c');
});

test('an empty queue runs no program, also with Postfix’s empty folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'queue-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const exec = { run: vi.fn(), change: vi.fn() };
  const queue = new MailQueue({ exec, folder });
  expect(await queue.list()).toEqual([]);
  await mkdir(join(folder, 'deferred/A'), { recursive: true });
  await mkdir(join(folder, 'hold'));
  expect(await queue.list()).toEqual([]);
  await queue.change('-d', 20_017);
  expect(exec.run).not.toHaveBeenCalled();
  expect(exec.change).not.toHaveBeenCalled();
  await writeFile(join(folder, 'deferred/A/4jZ4Th6FZVzJ9d1'), '');
});
