import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchHomes } from './home-watch.ts';

let homes: string;
let told: string[];
let end: () => void;

beforeEach(() => {
  homes = mkdtempSync(join(tmpdir(), 'innkeeper-homes-'));
  for (const name of ['alice', 'bob', 'carol', '.innkeeper-new-20000']) {
    mkdirSync(join(homes, name));
    chownSync(join(homes, name), process.getuid!() || 20_000, process.getgid!());
    chmodSync(join(homes, name), 0o750);
  }
  told = [];
  end = watchHomes(
    (name) => told.push(name),
    (error) => told.push(String(error)),
    homes,
  );
});

afterEach(() => {
  end();
  rmSync(homes, { recursive: true });
});

test('reports a changed home mode once; ignores changes inside homes and repaired ones', async () => {
  writeFileSync(join(homes, 'bob', 'file'), '');
  for (const mode of [0o777, 0o750]) chmodSync(join(homes, 'bob'), mode);
  chmodSync(join(homes, '.innkeeper-new-20000'), 0o777);
  for (const mode of [0o777, 0o750, 0o777]) chmodSync(join(homes, 'alice'), mode);
  await expect.poll(() => told, { timeout: 5_000 }).toEqual(['alice']);
});

test('pauses the watch while there are too many changes', async () => {
  for (let count = 0; count < 2_000; count += 1)
    for (const name of ['alice', 'bob']) chmodSync(join(homes, name), count % 2 === 0 ? 0o755 : 0o777);
  await expect.poll(() => told.length, { timeout: 5_000 }).toBeGreaterThan(0);
  chmodSync(join(homes, 'carol'), 0o777);
  await delay(500);
  expect(told.toSorted()).toEqual(['alice', 'bob']);
});

test('reports a folder that cannot be watched', () => {
  watchHomes(
    () => {},
    (error) => told.push((error as NodeJS.ErrnoException).code ?? ''),
    join(homes, 'none'),
  )();
  expect(told).toContain('ENOENT');
});
