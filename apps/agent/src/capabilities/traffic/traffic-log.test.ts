import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerNamed } from '../../node/owner.ts';
import { FakeLogWriter } from './fake-log-writer.ts';
import { TrafficLog, type TrafficLogOptions } from './traffic-log.ts';

const NOVEMBER = Date.UTC(2026, 10, 21);
const MIB = 1_048_576;
const alice = ownerNamed('alice', 20_001);
const bob = ownerNamed('bob', 20_002);
let folder: string;
let nginx: FakeLogWriter;
let now: number;
let written: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traffic-'));
  nginx = new FakeLogWriter(folder);
  now = NOVEMBER;
  written = 0;
});
afterEach(() => {
  nginx.end();
  rmSync(folder, { recursive: true });
});

/** Every line differs, as lines of nginx do. */
function lineOf(uid: number, sent: number, endedAtMs = now): string {
  written += 1;
  const msec = (endedAtMs / 1_000).toFixed(3);
  return `{"msec":"${msec}","uid":"${uid}","sent":${sent},"received":1,"uri":"/${written}"}\n`;
}

function startReader(changes: Partial<TrafficLogOptions> = {}): TrafficLog {
  return new TrafficLog({
    folder,
    stateFile: join(folder, 'state.json'),
    writer: nginx,
    isAccount: () => true,
    rotateBytes: 1_000 * MIB,
    now: () => now,
    store: async (file, content) => {
      writeFileSync(`${file}.new`, content);
      renameSync(`${file}.new`, file);
    },
    ...changes,
  });
}

const logs = () => readdirSync(folder).filter((name) => name.endsWith('.log'));

class Killed extends Error {}

/** Events of a log, in any order. */
const events = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        worker: fc.nat(1),
        uid: fc.constantFrom(alice.uid, bob.uid),
        sent: fc.integer({ min: 1, max: 5_000 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('heed' as const), worker: fc.nat(1) }) },
    // The nth time that a pass reaches one of its steps, it is killed there: before or after the step.
    { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), at: fc.nat(7) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'half a line',
          'renamed',
          'renamed and told',
          'removed',
          'truncated',
          'a day',
          'restart',
        ),
      }),
    },
  ),
  { maxLength: 60 },
);

test('counts every byte once, across kills, rotations, renames, removals and truncations', async () => {
  await fc.assert(
    fc.asyncProperty(events, async (happens) => {
      const home = folder;
      const run = mkdtempSync(join(home, 'run-'));
      folder = run;
      nginx.end();
      nginx = new FakeLogWriter(folder);
      now = NOVEMBER;
      let steps = Number.POSITIVE_INFINITY;
      const mortal = async (step: () => Promise<unknown>) => {
        if (steps-- <= 0) throw new Killed();
        const result = await step();
        if (steps-- <= 0) throw new Killed();
        return result;
      };
      const start = () =>
        startReader({
          rotateBytes: 1_000,
          writer: {
            openLogFiles: () => nginx.openLogFiles(),
            reopen: () => mortal(() => nginx.reopen()) as Promise<void>,
          },
          store: (file, content) =>
            mortal(async () => {
              writeFileSync(`${file}.new`, content);
              renameSync(`${file}.new`, file);
            }) as Promise<void>,
        });
      let reader = start();
      const restart = async () => {
        await reader.close();
        reader = start();
      };
      const wanted = { [alice.uid]: 0, [bob.uid]: 0 };
      const write = (worker: number, uid: number, sent: number) => {
        wanted[uid]! += sent;
        return { worker, line: lineOf(uid, sent) };
      };
      const path = join(folder, 'traffic.log');
      let others = 0;
      const hasLog = () => logs().includes('traffic.log');
      for (const event of happens) {
        if (event.do === 'write') {
          const { worker, line } = write(event.worker, event.uid, event.sent);
          nginx.write(worker, line);
        } else if (event.do === 'read') await reader.read();
        else if (event.do === 'heed') nginx.heed(event.worker);
        else if (event.do === 'restart') await restart();
        else if (event.do === 'a day') now += 86_400_000 / 4;
        else if (event.do === 'kill') {
          steps = event.at;
          await reader.read().catch((error) => expect(error).toBeInstanceOf(Killed));
          steps = Number.POSITIVE_INFINITY;
          await restart();
        } else if (event.do === 'half a line') {
          const { worker, line } = write(0, alice.uid, 11);
          nginx.write(worker, line.slice(0, 40));
          await reader.read();
          nginx.write(worker, line.slice(40));
        } else if (hasLog()) {
          // A file that was never seen and that no process has open is lost. So is a file that is truncated before it
          // is read.
          if (event.do === 'truncated' || event.do === 'renamed and told') await reader.read();
          if (!hasLog()) continue;
          if (event.do === 'truncated') truncateSync(path);
          else if (event.do === 'removed') unlinkSync(path);
          else renameSync(path, `${path}.${++others}`);
          if (event.do === 'renamed and told') await nginx.reopen();
        }
      }
      for (let pass = 0; pass < 4; pass += 1) {
        await reader.read();
        for (const worker of [0, 1]) nginx.heed(worker);
      }
      await restart();
      expect({ [alice.uid]: reader.usedBytes(alice), [bob.uid]: reader.usedBytes(bob) }).toEqual(wanted);
      expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')).files.length).toBeLessThanOrEqual(
        2,
      );
      await reader.close();
      folder = home;
    }),
    { numRuns: 200 },
  );
}, 60_000);

test('counts a line in the month in which its request ended; a new month starts at 0', async () => {
  const reader = startReader();
  const endOfMonth = Date.UTC(2026, 11, 1);
  now = endOfMonth - 2_000;
  nginx.write(0, lineOf(alice.uid, 2 * MIB, endOfMonth - 1));
  nginx.write(1, lineOf(alice.uid, 5, endOfMonth));
  await reader.read();
  expect(reader.usedBytes(alice)).toBe(2 * MIB);
  expect(reader.isExceeded(alice, 1)).toBe(true);
  now = endOfMonth;
  expect(reader.month).toBe('2026-12');
  expect(reader.usedBytes(alice)).toBe(5);
  expect(reader.isExceeded(alice, 1)).toBe(false);
  nginx.write(0, lineOf(alice.uid, 7, endOfMonth - 1));
  await reader.read();
  expect(reader.usedBytes(alice)).toBe(5);
  now = Date.UTC(2027, 0, 1);
  await reader.read();
  expect(Object.keys(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')).months)).toEqual([
    '2026-12',
  ]);
  await reader.close();
});

test('the limit is exceeded by the first byte above it', async () => {
  const reader = startReader();
  nginx.write(0, lineOf(alice.uid, MIB));
  await reader.read();
  expect(reader.isExceeded(alice, 1)).toBe(false);
  nginx.write(0, lineOf(alice.uid, 1));
  await reader.read();
  expect(reader.isExceeded(alice, 1)).toBe(true);
  expect(reader.isExceeded(alice, 2)).toBe(false);
  expect(reader.isExceeded(bob, 1)).toBe(false);
  await reader.close();
});

test('a new reader has the stored totals before its first read', async () => {
  const first = startReader();
  nginx.write(0, lineOf(alice.uid, 2 * MIB));
  await first.read();
  await first.close();
  expect(startReader().isExceeded(alice, 1)).toBe(true);
});

test('a forgotten account leaves no totals, and late lines do not bring it back', async () => {
  const gone = new Set<number>();
  const reader = startReader({ isAccount: (uid) => !gone.has(uid) });
  nginx.write(0, lineOf(alice.uid, 5) + lineOf(bob.uid, 6));
  await reader.read();
  expect(reader.knows(alice)).toBe(true);
  gone.add(alice.uid);
  nginx.write(0, lineOf(alice.uid, 5));
  await reader.forget(alice);
  await reader.read();
  expect(reader.knows(alice)).toBe(false);
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).not.toContain(`${alice.uid}`);
  expect(reader.usedBytes(bob)).toBe(6);
  await reader.close();
});

test('keeps a limited number of files that were put aside', async () => {
  const reader = startReader({ rotateBytes: 1 });
  for (let rotation = 0; rotation < 30; rotation += 1) {
    now += 60_000;
    nginx.write(0, lineOf(alice.uid, 1));
    await reader.read();
    for (const worker of [0, 1]) nginx.heed(worker);
  }
  expect(reader.usedBytes(alice)).toBe(30);
  expect(logs()).toHaveLength(15);
  await reader.close();
});

test('puts unreadable totals aside and restarts at 0', async () => {
  writeFileSync(join(folder, 'state.json'), '{"version":1,"files":[]');
  const reader = startReader();
  nginx.write(0, lineOf(alice.uid, 9));
  await reader.read();
  expect(reader.usedBytes(alice)).toBe(9);
  expect(readFileSync(join(folder, 'state.json.damaged'), 'utf8')).toContain('version');
  await reader.close();
});

test('reads a long file in pieces, with lines of any length', async () => {
  const reader = startReader();
  const lines = Array.from({ length: 30_000 }, () => lineOf(alice.uid, 3)).join('');
  expect(lines.length).toBeGreaterThan(2 * MIB);
  nginx.write(0, lines);
  nginx.write(0, `${'x'.repeat(3 * MIB)}\n`);
  nginx.write(0, lineOf(bob.uid, 4));
  await reader.read();
  expect(reader.usedBytes(alice)).toBe(90_000);
  expect(reader.usedBytes(bob)).toBe(4);
  expect(reader.statistics.refusedLines).toBe(1);
  await reader.close();
});

test('answered requests are counted by account and host, once, and only new ones', async () => {
  const reader = startReader();
  const line = (status: number, host: string, endedAtMs = now) =>
    lineOf(alice.uid, 100, endedAtMs).replace('"received"', `"status":${status},"host":"${host}","received"`);
  nginx.write(0, line(200, 'a.example') + line(502, 'a.example') + line(404, 'b.example'));
  nginx.write(0, line(200, 'a.example', now - 61_000));
  await reader.read();
  const taken = reader.takeAnswered();
  expect([...taken.keys()]).toEqual([alice.uid]);
  expect(taken.get(alice.uid)).toEqual({
    sentBytes: 300,
    requests: 3,
    errors: 1,
    hosts: new Map([
      ['a.example', { sentBytes: 200, requests: 2, errors: 1 }],
      ['b.example', { sentBytes: 100, requests: 1, errors: 0 }],
    ]),
  });
  expect(reader.usedBytes(alice)).toBe(400);
  await reader.read();
  expect(reader.takeAnswered().size).toBe(0);
  await reader.close();
});
