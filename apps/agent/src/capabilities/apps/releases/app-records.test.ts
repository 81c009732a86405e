import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Changes } from '../../../node/changes.ts';
import { ownerNamed } from '../../../node/owner.ts';
import { AppRecordFiles } from './app-records.ts';
import type { AppRecord } from './host.ts';

const owner = ownerNamed('demo', 20_000);
let stateDir: string;
let records: AppRecordFiles;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'innkeeper-records-'));
  records = new AppRecordFiles(new Changes(), stateDir);
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const record = (changes: Partial<AppRecord> = {}): AppRecord => ({
  appId: 1,
  link: 'domains/demo.example.com/public_html',
  task: { release: '7', attempt: 2 },
  failure: { release: '6', reason: 'no\nluck', attempts: 1, retryAt: null },
  ...changes,
});

test('the next agent finds a stored record, for its account only', async () => {
  await records.put(owner, record());
  await records.put(owner, record({ appId: 2, task: null }));
  const next = new AppRecordFiles(new Changes(), stateDir);
  expect((await next.of(owner)).sort((a, b) => a.appId - b.appId)).toEqual([
    record(),
    record({ appId: 2, task: null }),
  ]);
  expect(await next.of(ownerNamed('other', 20_001))).toEqual([]);
});

test('removes the folder with the last record, and leftovers of a power failure', async () => {
  await records.put(owner, record());
  await records.put(owner, record({ appId: 2 }));
  writeFileSync(join(stateDir, 'apps/20000/2.json.0011.tmp'), '{');
  await records.remove(owner, 1);
  expect(existsSync(join(stateDir, 'apps/20000'))).toBe(true);
  await records.remove(owner, 2);
  await records.remove(owner, 2);
  expect(existsSync(join(stateDir, 'apps/20000'))).toBe(false);
});

test('treats an unreadable record as missing', async () => {
  mkdirSync(join(stateDir, 'apps/20000'), { recursive: true });
  for (const [name, text] of [
    ['1.json', '{'],
    ['2.json', '{"appId":2}'],
    ['3.json', JSON.stringify(record({ appId: 4 }))],
  ] as const)
    writeFileSync(join(stateDir, 'apps/20000', name), text);
  expect(await records.of(owner)).toEqual([]);
});
