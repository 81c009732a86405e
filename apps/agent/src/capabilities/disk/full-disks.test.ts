import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownerNamed } from '../../node/owner.ts';
import { FullDisksFile } from './full-disks.ts';

const MIB = 1_048_576;
const owner = ownerNamed('demo', 20_001);

async function aFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'full-disks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'full.json');
}

test('an account is full above its limit until it is clearly below; only changes are reported', async () => {
  const full = new FullDisksFile(await aFile());
  const said: boolean[] = [];
  for (const mib of [90, 100, 101, 120, 99, 96, 95, 96, 100])
    said.push(await full.note(owner, mib * MIB, 100));
  expect(said).toEqual([false, false, true, false, false, false, true, false, false]);
  expect(full.isFull(owner)).toBe(false);
});

test('a larger limit ends the full state', async () => {
  const full = new FullDisksFile(await aFile());
  await full.note(owner, 101 * MIB, 100);
  expect(await full.note(owner, 101 * MIB, 200)).toBe(true);
});

test('a new agent knows the full accounts, and forgets removed ones', async () => {
  const file = await aFile();
  const before = new FullDisksFile(file);
  await before.note(owner, 101 * MIB, 100);
  await before.note(ownerNamed('gone', 20_002), 101 * MIB, 100);
  const after = new FullDisksFile(file);
  expect(after.isFull(owner)).toBe(true);
  await after.keep(new Set([20_001]));
  expect(new FullDisksFile(file).isFull(ownerNamed('gone', 20_002))).toBe(false);
  expect(new FullDisksFile(file).isFull(owner)).toBe(true);
});

test('a damaged file counts as empty and is rewritten', async () => {
  const file = await aFile();
  await writeFile(file, '[1,');
  const full = new FullDisksFile(file);
  expect(full.isFull(owner)).toBe(false);
  await full.note(owner, 101 * MIB, 100);
  expect(new FullDisksFile(file).isFull(owner)).toBe(true);
});
