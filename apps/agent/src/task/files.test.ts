import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as place from './app-folder.ts';
import { changeFiles } from './files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'app-files-'));
  mkdirSync(place.notesFolder(folder));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Ready for so many seconds. */
function prepare(release: string, secondsAgo: number): void {
  mkdirSync(place.releaseFolder(folder, release), { recursive: true });
  writeFileSync(place.readyNote(folder, release), '');
  const at = Date.now() / 1_000 - secondsAgo;
  utimesSync(place.readyNote(folder, release), at, at);
}
const swap = (release: string) =>
  changeFiles({
    kind: 'swap',
    folder,
    release,
    link: null,
    adopts: false,
    keptAs: '',
    welcomePage: '',
    keep: 3,
  });
const releases = () => readdirSync(place.releasesFolder(folder)).sort();

test('the releases that served last are kept: one that was rolled back to outlives the one that was left', () => {
  for (const [release, secondsAgo] of [
    ['0', 90],
    ['1', 80],
    ['2', 70],
    ['3', 60],
  ] as const)
    prepare(release, secondsAgo);
  swap('3');
  swap('1');
  expect(releases()).toEqual(['0', '1', '2', '3']);
  prepare('4', 0);
  swap('4');
  expect(releases()).toEqual(['0', '1', '3', '4']);
});

test('a file is the account’s alone and replaced as a whole, whatever a crash or its owner left in its place', () => {
  const path = join(folder, 'sub/database.php');
  const write = (text: string) => changeFiles({ kind: 'write', path, text });
  write('one');
  writeFileSync(`${path}.innkeeper-new`, 'half');
  write('two');
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(path);
  mkdirSync(path);
  writeFileSync(join(path, 'kept'), '');
  write('three');
  expect(readFileSync(path, 'utf8')).toBe('three');
  expect(readdirSync(`${path}.before`)).toEqual(['kept']);
});
