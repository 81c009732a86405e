import { describe, expect, it } from 'vitest';
import { ARCHIVE_MAX_ENTRIES, ArchiveCheck, type ArchiveEntry, archivePathOf } from './archive-check.ts';

const REGULAR = 0o100644 * 0x10000;
const FOLDER = 0o040755 * 0x10000;

function entry(name: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry {
  return {
    name,
    compressedSize: 10,
    uncompressedSize: name.endsWith('/') ? 0 : 10,
    compressionMethod: 0,
    generalPurposeBitFlag: 0,
    externalFileAttributes: name.endsWith('/') ? FOLDER : REGULAR,
    ...more,
  };
}

function check(entries: ArchiveEntry[], archiveBytes = 1_000_000): string | undefined {
  const reading = new ArchiveCheck(archiveBytes);
  for (const one of entries) {
    const refusal = reading.add(one);
    if (refusal !== undefined) return refusal;
  }
  return reading.finish();
}

it.each([
  [['shop/', 'shop/index.html', 'shop/css/a.css'], 'shop'],
  [['shop/index.html', '__MACOSX/._index.html'], 'shop'],
  [['shop/index.html', 'index.html'], undefined],
  [['shop/index.html', 'blog/index.html'], undefined],
  [['index.html'], undefined],
])('the only folder of %j is %j', (names, folder) => {
  const reading = new ArchiveCheck(1_000_000);
  for (const name of names) expect(reading.add(entry(name))).toBeUndefined();
  expect(reading.onlyFolder()).toBe(folder);
});

describe('an archive', () => {
  it('may hold files and folders, in any order, with folders named or not', () => {
    const names = [
      'a/b/c.txt',
      'a/',
      'a/b/',
      'index.html',
      './style.css',
      'ünï/ß.txt',
      '...',
      'a/.hidden',
      './',
    ];
    expect(check(names.map((name) => entry(name)))).toBeUndefined();
  });

  it('may come from a system without Unix modes', () => {
    expect(
      check([entry('a', { externalFileAttributes: 0x20 }), entry('b/', { externalFileAttributes: 0x10 })]),
    ).toBeUndefined();
  });

  it.each<[why: string, entry: ArchiveEntry, sentence: string]>([
    ['an absolute path', entry('/etc/passwd'), 'has an absolute path'],
    ['a drive', entry('C:/x'), 'has an absolute path'],
    ['a way up', entry('../x'), 'has a path with ..'],
    ['a way up inside', entry('a/../../x'), 'has a path with ..'],
    ['a way up at the end', entry('a/..'), 'has a path with ..'],
    ['a backslash', entry('a\\..\\x'), 'has a name with a backslash'],
    ['a NUL', entry('a\0.php'), 'has a name with control characters'],
    ['a newline', entry('a\nb'), 'has a name with control characters'],
    ['bytes that are no text', entry('a\ufffd'), 'has a name with control characters'],
    ['no name', entry(''), 'has no name'],
    ['the folder itself as a file', entry('.'), 'is the name of no file'],
    ['a long name', entry('x'.repeat(256)), 'has a name that is too long'],
    ['a name of many bytes', entry('ü'.repeat(128)), 'has a name that is too long'],
    ['a long path', entry('abc/'.repeat(300)), 'has a name that is too long'],
    ['a deep path', entry(`${'a/'.repeat(64)}x`), 'lies in more than 64 folders'],
    ['a symbolic link', entry('a', { externalFileAttributes: 0o120777 * 0x10000 }), 'is a link'],
    [
      'a link that looks like a folder',
      entry('a/', { externalFileAttributes: 0o120777 * 0x10000 }),
      'is a link',
    ],
    [
      'a character device',
      entry('a', { externalFileAttributes: 0o020666 * 0x10000 }),
      'is a device or a socket',
    ],
    ['a block device', entry('a', { externalFileAttributes: 0o060666 * 0x10000 }), 'is a device or a socket'],
    ['a pipe', entry('a', { externalFileAttributes: 0o010666 * 0x10000 }), 'is a device or a socket'],
    ['a socket', entry('a', { externalFileAttributes: 0o140666 * 0x10000 }), 'is a device or a socket'],
    ['an encrypted file', entry('a', { generalPurposeBitFlag: 1 }), 'is encrypted'],
    ['strong encryption', entry('a', { generalPurposeBitFlag: 0x40 }), 'is encrypted'],
    ['a masked directory', entry('a', { generalPurposeBitFlag: 0x2000 }), 'is encrypted'],
    [
      'an unknown compression',
      entry('a', { compressionMethod: 14 }),
      'is compressed in another way than deflate',
    ],
    ['a folder with content', entry('a/', { uncompressedSize: 5 }), 'is a folder with content'],
    [
      'a folder that has a file’s name',
      entry('a', { externalFileAttributes: FOLDER, uncompressedSize: 0 }),
      'is a folder without a slash at its end',
    ],
  ])('must not hold %s', (_why, bad, sentence) => {
    expect(check([entry('good.txt'), bad])).toContain(sentence);
  });

  it.each([[['a', 'a']], [['a', './a']], [['a/', 'a']], [['a', 'a/']], [['a/b', 'a//b']], [['a/', 'a/./']]])(
    'must not hold a path twice: %j',
    (names) => {
      expect(check(names.map((name) => entry(name)))).toContain('is there twice');
    },
  );

  it('must not hold a file where another entry needs a folder, whichever comes first', () => {
    for (const names of [
      ['a', 'a/b'],
      ['a/b/c', 'a'],
      ['a/b/c', 'x', 'a/b'],
    ])
      expect(check(names.map((name) => entry(name)))).toContain('lies in what is a file');
  });

  it.each([
    [['Readme.txt', 'readme.txt']],
    [['A/b', 'a/c']],
    [['a/', 'A']],
    [['caf\u00e9', 'cafe\u0301']],
    [['stra\u00dfe', 'STRASSE']],
  ])(
    'may hold names that differ in case or Unicode form only, as the file system of a server: %j',
    (names) => {
      expect(check(names.map((name) => entry(name)))).toBeUndefined();
    },
  );

  it('may hold similar but different names', () => {
    expect(
      check(['a/b', 'a/c', 'ab', 'a.b', 'cafe', 'caf\u00e9'].map((name) => entry(name))),
    ).toBeUndefined();
  });

  it('must not unpack to more than a hundred times its size, or 4 GiB', () => {
    expect(check([entry('a', { uncompressedSize: 100_000 })], 1_000)).toBeUndefined();
    expect(check([entry('a', { uncompressedSize: 100_001 })], 1_000)).toContain('100 times');
    const half = { uncompressedSize: 2 * 1024 ** 3, compressedSize: 1_000 };
    expect(check([entry('a', half), entry('b', half)], 2 ** 29)).toBeUndefined();
    expect(check([entry('a', half), entry('b', half), entry('c')], 2 ** 29)).toContain('4 GiB');
  });

  it('must not hold entries that share their data', () => {
    expect(
      check([entry('a', { compressedSize: 600 }), entry('b', { compressedSize: 600 })], 1_000),
    ).toContain('share');
  });

  it('must not be empty, nor have more than 20,000 entries', () => {
    expect(check([])).toContain('at least one entry');
    const many = Array.from({ length: ARCHIVE_MAX_ENTRIES }, (_, n) =>
      entry(`f${n}`, { compressedSize: 1, uncompressedSize: 1 }),
    );
    expect(check(many)).toBeUndefined();
    expect(check([...many, entry('one-more')])).toContain('20000 entries');
    expect(new ArchiveCheck(1).refuseCount(ARCHIVE_MAX_ENTRIES + 1)).toContain('20000 entries');
  });

  it('is refused with a sentence that holds nothing unprintable', () => {
    const refusal = check([entry('\u001b[31m\u202e\0')]) ?? '';
    expect(refusal).toContain('"?[31m??"');
  });
});

it('returns the path of an entry', () => {
  expect(archivePathOf('./a//b/')).toEqual(['a', 'b']);
});
