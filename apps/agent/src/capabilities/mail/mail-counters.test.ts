import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCounts, readRecentCounts } from './mail-counters.ts';

const LINE = 'hour 498771 5 1 225 day 20782 7 2\n';
const counts = { hour: 498_771, hour_sent: 5, hour_refused: 1, day: 20_782, day_sent: 7, day_refused: 2 };

test('the line of submit-mail is read, and nothing else', () => {
  expect(readCounts(LINE)).toEqual(counts);
  for (const text of ['', 'hour 1 2 3', `x${LINE}`, LINE.replace('5', '-5'), LINE.replace('day', 'week')])
    expect(readCounts(text)).toBeUndefined();
});

test('counters of accounts that have not sent since yesterday, and other files, are not read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'counts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const now = Date.parse('2026-11-25T12:00:00Z');
  for (const [name, at] of [
    ['20001', '2026-11-25T11:00:00Z'],
    ['20002', '2026-11-24T00:00:01Z'],
    ['20003', '2026-11-23T23:59:00Z'],
    ['not-a-uid', '2026-11-25T11:00:00Z'],
  ] as const) {
    await writeFile(join(folder, name), LINE);
    await utimes(join(folder, name), new Date(at), new Date(at));
  }
  expect([...(await readRecentCounts(now, folder)).keys()].sort()).toEqual([20_001, 20_002]);
  expect(await readRecentCounts(now, join(folder, 'none'))).toEqual(new Map());
});
