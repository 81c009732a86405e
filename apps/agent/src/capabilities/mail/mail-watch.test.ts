import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { specOf } from '../../../test/specs.ts';
import { FakeClock } from '../../node/fake-clock.ts';
import { createLog } from '../../node/log.ts';
import type { QueuedMail } from './mail-queue.ts';
import { FULL, MailWatch } from './mail-watch.ts';

const NOW = Date.parse('2026-11-25T12:30:00Z');
const HOUR = Math.floor(NOW / 3_600_000);
const DAY = Math.floor(NOW / 86_400_000);

const mailOf = (uid: number | undefined, over: Partial<QueuedMail> = {}): QueuedMail => ({
  id: '4jZ4Th6FZVzJ9d1',
  uid,
  isHeld: false,
  bytes: 1_000,
  arrivedAt: NOW / 1_000 - 90,
  reason: '',
  ...over,
});

async function startRig() {
  const counters = await mkdtemp(join(tmpdir(), 'counts-'));
  onTestFinished(() => rm(counters, { recursive: true }));
  const specs = new Map<number, AccountSpec>();
  const mails: QueuedMail[] = [];
  const calls = {
    check: vi.fn<(uid: number) => void>(),
    deleteOf: vi.fn<(uid: number) => Promise<void>>(async () => {}),
    writeFull: vi.fn<(uids: readonly number[]) => Promise<void>>(async () => {}),
    onRuns: vi.fn<(runs: boolean) => void>(),
  };
  const watch = new MailWatch({
    queue: { list: async () => mails, of: async (uid) => mails.filter((mail) => mail.uid === uid) },
    specOf: (uid) => specs.get(uid),
    findAccount: (id) => [...specs.values()].find(({ account_id }) => account_id === id),
    ...calls,
    runs: async () => true,
    clock: new FakeClock(),
    unixMs: () => NOW,
    log: createLog('fatal'),
    counters,
  });
  const add = (uid: number, desired_state: AccountSpec['desired_state']) =>
    void specs.set(uid, specOf({ account_id: uid - 20_000, uid, linux_user: `u${uid}`, desired_state }));
  const count = (uid: number, line: string) => writeFile(join(counters, `${uid}`), line);
  return { watch, mails, add, count, ...calls };
}

test('mail that a suspended account sent late is held, that of an active one released, that of a removed one deleted', async () => {
  const { watch, mails, add, check, deleteOf } = await startRig();
  for (const [uid, state] of [
    [20_001, 'active'],
    [20_002, 'active'],
    [20_003, 'suspended'],
    [20_004, 'suspended'],
    [20_005, 'absent'],
  ] as const)
    add(uid, state);
  mails.push(mailOf(20_001), mailOf(20_002, { isHeld: true }));
  mails.push(mailOf(20_003), mailOf(20_004, { isHeld: true }), mailOf(20_005));
  mails.push(mailOf(20_006), mailOf(0), mailOf(undefined));
  await watch.look();
  expect(check.mock.calls.map(([uid]) => uid)).toEqual([20_002, 20_003, 20_005]);
  expect(deleteOf.mock.calls).toEqual([[20_006]]);
});

test('the service is told which accounts have too much in the queue, and when that is over', async () => {
  const { watch, mails, add, writeFull } = await startRig();
  add(20_001, 'active');
  add(20_002, 'active');
  await watch.look();
  expect(writeFull).not.toHaveBeenCalled();
  mails.push(...Array.from({ length: FULL.messages + 1 }, () => mailOf(20_002)));
  mails.push(mailOf(20_001, { bytes: FULL.bytes + 1 }));
  await watch.look();
  await watch.look();
  expect(writeFull.mock.calls).toEqual([[[20_001, 20_002]]]);
  mails.length = 0;
  await watch.look();
  expect(writeFull).toHaveBeenLastCalledWith([]);
});

test('counts are reported for accounts that sent or have mail in the queue, and summed up for the day', async () => {
  const { watch, mails, add, count } = await startRig();
  add(20_001, 'active');
  add(20_002, 'active');
  add(20_003, 'active');
  await count(20_001, `hour ${HOUR} 5 1 225 day ${DAY} 7 2\n`);
  await count(20_009, `hour ${HOUR} 5 1 225 day ${DAY} 3 0\n`);
  mails.push(mailOf(20_002, { reason: '454 try later' }), mailOf(20_002, { arrivedAt: NOW / 1_000 - 5 }));
  await watch.look();
  expect(watch.report()).toEqual([
    {
      account_id: 1,
      hour: HOUR,
      hour_sent: 5,
      hour_refused: 1,
      day: DAY,
      day_sent: 7,
      day_refused: 2,
      queued: 0,
    },
    expect.objectContaining({ account_id: 2, day_sent: 0, queued: 2 }),
  ]);
  expect(watch.figures()).toEqual({
    mail_queued: 2,
    mail_queue_oldest_seconds: 90,
    mail_queue_bytes: 2_000,
    mail_sent_today: 10,
    mail_refused_today: 2,
  });
  expect(await watch.answer({ account_id: 2 })).toMatchObject({
    waits_because: '454 try later',
    mail: { queued: 2 },
  });
  expect(await watch.answer({ account_id: 3 })).toEqual({ mail: null, waits_because: '' });
  expect(await watch.answer({ account_id: 99 })).toEqual({ mail: null, waits_because: '' });
});
