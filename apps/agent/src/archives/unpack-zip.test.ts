import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip, type ZipEntry } from '@innkeeper/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unpackZip } from './unpack-zip.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'innkeeper-unpack-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Unpacks an archive that precedes a job, as in a task, and returns every resulting path. */
async function unpacked(archive: Buffer, name = 'into'): Promise<string[]> {
  const file = join(folder, 'input');
  writeFileSync(file, Buffer.concat([archive, Buffer.from('{"job":true}')]));
  const fd = openSync(file, 'r');
  unlinkSync(file);
  try {
    await unpackZip(fd, archive.length, join(folder, 'home', name));
  } finally {
    closeSync(fd);
  }
  return allBelow();
}

function allBelow(): string[] {
  const home = join(folder, 'home');
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).map(String).sort();
}

const text = (path: string) => readFileSync(join(folder, 'home/into', path), 'utf8');
const LINK = 0o120777;
const many = (count: number) =>
  Array.from({ length: count }, (_, at): ZipEntry => ({ name: `${at}`, isStored: true }));
const zip64 = (field: Buffer) => Buffer.concat([Buffer.from([1, 0, field.length, 0]), field]);
const afar = Buffer.alloc(8);
afar.writeBigUInt64LE(1n << 62n);

test('keeps the executable bit of an archive’s files and no other mode', async () => {
  await unpacked(
    makeZip([
      { name: 'build.sh', data: '#!/bin/sh', mode: 0o100755 },
      { name: 'mine.sh', data: '#!/bin/sh', mode: 0o100700 },
      { name: 'page.html', data: 'page', mode: 0o100666 },
    ]),
  );
  const modes = ['build.sh', 'mine.sh', 'page.html'].map(
    (name) => statSync(join(folder, 'home/into', name)).mode & 0o7777,
  );
  expect(modes).toEqual([0o755, 0o755, 0o644]);
});

test('names that differ only in case are two files', async () => {
  await unpacked(
    makeZip([
      { name: 'Readme.txt', data: 'one' },
      { name: 'readme.txt', data: 'two' },
    ]),
  );
  expect([text('Readme.txt'), text('readme.txt')]).toEqual(['one', 'two']);
});

test('unpacks files and folders unchanged, with the agent’s modes', async () => {
  const archive = makeZip([
    { name: 'a/b/c.txt', data: 'deep' },
    { name: 'd/' },
    { name: 'stored', data: 'as it is', isStored: true, mode: 0o104777 },
    { name: 'empty', data: '' },
    { name: 'ünï.txt', data: 'é' },
  ]);
  expect(await unpacked(archive)).toEqual(
    ['into', 'a', 'a/b', 'a/b/c.txt', 'd', 'empty', 'stored', 'ünï.txt']
      .map((path) => (path === 'into' ? path : `into/${path}`))
      .sort(),
  );
  expect([text('a/b/c.txt'), text('stored'), text('empty'), text('ünï.txt')]).toEqual([
    'deep',
    'as it is',
    '',
    'é',
  ]);
  expect(statSync(join(folder, 'home/into/stored')).mode & 0o7000).toBe(0);
});

test('strips the single top folder and the files that macOS adds', async () => {
  const names = ['site-1.0/', 'site-1.0/index.html', 'site-1.0/css/a.css', '__MACOSX/site-1.0/._index.html'];
  expect(await unpacked(makeZip(names.map((name) => ({ name }))))).toEqual([
    'into',
    'into/css',
    'into/css/a.css',
    'into/index.html',
  ]);
});

test('keeps the top folder when a file is beside it', async () => {
  expect(await unpacked(makeZip([{ name: 'a/b' }, { name: 'c' }]))).toEqual([
    'into',
    'into/a',
    'into/a/b',
    'into/c',
  ]);
});

describe('refused with an explanation, nothing written outside the folder', () => {
  const bomb = 'x'.repeat(3_000_000);
  const corpus: [string, Buffer, RegExp][] = [
    ['traversal', makeZip([{ name: '../../evil' }]), /has a path with \.\./],
    ['traversal in the middle', makeZip([{ name: 'a/../../evil' }]), /has a path with \.\./],
    ['an absolute path', makeZip([{ name: '/tmp/evil' }]), /absolute path/],
    ['a drive', makeZip([{ name: 'C:/evil' }]), /absolute path/],
    ['a backslash', makeZip([{ name: '..\\evil' }]), /backslash/],
    ['a link', makeZip([{ name: 'l', data: '/etc', mode: LINK }]), /is a link/],
    [
      'a link, and a file through it',
      makeZip([{ name: 'l', data: '/tmp', mode: LINK }, { name: 'l/evil' }]),
      /is a link/,
    ],
    ['a link of another size', makeZip([{ name: 'l', mode: LINK, isStored: true }]), /is a link/],
    ['a device', makeZip([{ name: 'd', mode: 0o020666 }]), /device or a socket/],
    ['a FIFO', makeZip([{ name: 'd', mode: 0o010666 }]), /device or a socket/],
    ['a name twice', makeZip([{ name: 'a' }, { name: 'a' }]), /is there twice/],
    ['a name twice, spelled otherwise', makeZip([{ name: 'a/b' }, { name: './a//b' }]), /is there twice/],
    ['a file that is a folder', makeZip([{ name: 'a' }, { name: 'a/b' }]), /lies in what is a file/],
    ['NUL', makeZip([{ name: 'a\0.php' }]), /control characters/],
    ['encrypted', makeZip([{ name: 'a', flags: 0x0801 }]), /is encrypted/],
    ['another method', makeZip([{ name: 'a', method: 14 }]), /another way than deflate/],
    [
      'more bytes than it says',
      makeZip([{ name: 'a', data: 'x'.repeat(9_000), claims: { uncompressedSize: 10 } }]),
      /too many bytes|larger/,
    ],
    [
      'fewer bytes than it says',
      makeZip([{ name: 'a', data: 'xy', claims: { uncompressedSize: 100 } }]),
      /not enough bytes|smaller/,
    ],
    [
      'more packed bytes than there are',
      makeZip([{ name: 'a', data: 'xy', claims: { compressedSize: 9_000 } }]),
      /share their data|ratio|overflows|cannot be read/,
    ],
    ['a ratio', makeZip([{ name: 'a', data: bomb }]), /100 times its size/],
    [
      'archives that share their data, as in 42.zip’s heirs',
      makeZip([
        { name: 'a', data: 'x'.repeat(1_000), isStored: true },
        { name: 'b', claims: { compressedSize: 1_000, uncompressedSize: 1_000, offset: 0 }, isStored: true },
        { name: 'c', claims: { compressedSize: 1_000, uncompressedSize: 1_000, offset: 0 }, isStored: true },
      ]),
      /share their data/,
    ],
    [
      'ZIP64 with a position outside',
      makeZip([{ name: 'a', claims: { offset: 0xffff_ffff }, extra: zip64(afar) }]),
      /cannot be read/,
    ],
    ['100,000 entries', makeZip(many(60_000)), /more than 20000 entries/],
    ['fewer entries than it says', makeZip([{ name: 'a' }], { entries: 5 }), /cannot be read/],
    ['a directory elsewhere', makeZip([{ name: 'a' }], { offset: 9_999 }), /cannot be read/],
    ['nothing', makeZip([]), /at least one entry/],
    ['folders alone', makeZip([{ name: 'a/' }, { name: 'a/b/' }]), /no file in it/],
    ['no bytes', Buffer.alloc(0), /cannot be read/],
    ['no archive', Buffer.from('<html>'.repeat(100)), /cannot be read/],
  ];
  test.each(corpus)('%s', async (_, archive, sentence) => {
    await expect(unpacked(archive)).rejects.toMatchObject({
      name: 'ArchiveFailure',
      message: expect.stringMatching(sentence),
    });
    expect(readdirSync(folder).filter((name) => name !== 'home')).toEqual([]);
  });

  test('a damaged archive writes nothing outside its folder, and the error names the damage', async () => {
    const archive = makeZip([
      { name: 'a/b.txt', data: 'hello '.repeat(50) },
      { name: 'c.txt', data: 'world', isStored: true },
    ]);
    let refused = 0;
    // All at once: then the disk is slow, and an error occurs at any moment of the work.
    const damage = async (_: number, at: number) => {
      const damaged = Buffer.from(archive);
      damaged[at]! ^= 0xff;
      try {
        await unpacked(damaged, `${at}`);
      } catch (error) {
        expect(error).toMatchObject({ name: 'ArchiveFailure' });
        refused += 1;
      }
    };
    await Promise.all(Array.from(archive, damage));
    expect(refused).toBeGreaterThan(archive.length / 2);
    expect(readdirSync(folder).filter((name) => name !== 'home')).toEqual([]);
  });
});
