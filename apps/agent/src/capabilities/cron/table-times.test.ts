import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TableTimes } from './table-times.ts';

let folder: string;
let times: TableTimes;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tables-'));
  times = new TableTimes(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const setTime = (path: string, second: number) => utimesSync(path, second, second);
const secondOf = (path: string) => Math.floor(statSync(path).mtimeMs / 1_000);

/** Returns the seconds that cron sees: those of the folder and of the table. */
function write(name: string): [folder: number, table: number] {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, '');
  setTime(`${path}.new`, times.next(path));
  renameSync(`${path}.new`, path);
  setTime(folder, times.next());
  return [secondOf(folder), secondOf(path)];
}

function remove(name: string): number {
  times.keep();
  rmSync(join(folder, name));
  setTime(folder, times.next());
  return secondOf(folder);
}

test('changes within one second have different times, of one table and of several', () => {
  const seen = [write('a'), write('b'), write('a'), write('c')];
  expect(new Set(seen.map(([ofFolder]) => ofFolder)).size).toBe(4);
  expect(seen[2]?.[1]).not.toBe(seen[0]?.[1]);
});

test('a table that was removed and is created again has another time', () => {
  const [, before] = write('a');
  const gone = remove('a');
  const [folderAfter, after] = write('a');
  expect(after).not.toBe(before);
  expect(folderAfter).not.toBe(gone);
});

test('a restarted agent reuses no time that the previous agent set in the future', () => {
  const [ofFolder, table] = write('a');
  times = new TableTimes(folder);
  const gone = remove('a');
  expect(gone).not.toBe(ofFolder);
  expect(write('a')[1]).not.toBe(table);
});

test('a table changed by somebody else, even with a time in the future, has another one after its repair', () => {
  write('a');
  const future = Math.floor(Date.now() / 1_000) + 1_000;
  utimesSync(join(folder, 'a'), future, future);
  expect(write('a')[1]).not.toBe(future);
});
