import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isWirePath,
  joinWirePath,
  namesOfWirePath,
  readWirePath,
  shownWirePath,
  typedName,
  wireName,
  wireNameAtEnd,
  wireNameOfText,
  wireParentOf,
} from './wire-path.ts';

const name = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .filter((bytes) => !bytes.includes(0) && !bytes.includes(0x2f))
  .filter((bytes) => !/^\.\.?$/.test(String.fromCharCode(...bytes)));

describe('a path on the wire', () => {
  it('keeps every byte of every name, and has one form', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), (names) => {
        const path = names.map(wireName).join('/');
        expect(namesOfWirePath(path).map((one) => [...one])).toEqual(names.map((one) => [...one]));
        expect(isWirePath(path)).toBe(true);
        expect(readWirePath(path)).toBe(path);
        expect(new URL(`http://panel/files/${path}`).pathname).toBe(`/files/${path}`);
      }),
    );
  });

  it('is read from what browsers send', () => {
    expect(readWirePath('/My Folder/ü(1).txt')).toBe('My%20Folder/%C3%BC%281%29.txt');
    expect(readWirePath('a%2eb/%7efoo/')).toBe('a.b/~foo');
    expect(readWirePath('')).toBe('');
    expect(readWirePath('/😀')).toBe('%F0%9F%98%80');
  });

  it.each([
    '..',
    '../x',
    'a/..',
    'a/./b',
    '%2e%2E/x',
    'a//b',
    'a%2Fb',
    'a%00',
    'a%2',
    'a%zz',
    'x'.repeat(256),
    'abc/'.repeat(1_100),
  ])('is never %j', (text) => {
    expect(readWirePath(text)).toBeUndefined();
    expect(isWirePath(text)).toBe(false);
  });

  it.each(['a%2eb', 'a b', '/a', 'a/', '%c3%bc'])('has one form only, which is not %j', (text) => {
    expect(isWirePath(text)).toBe(false);
  });

  it('is shown without control characters and invalid UTF-8', () => {
    expect(shownWirePath('a/%C3%BC')).toBe('a/ü');
    expect(shownWirePath('%FFa%0Ab')).toBe('\\xFFa\\x0Ab');
    expect(shownWirePath('%E2%80%AEgpj.exe')).toBe('\\xE2\\x80\\xAEgpj.exe');
  });

  it('has names that can be typed, and names that cannot', () => {
    expect(wireNameOfText('new file')).toBe('new%20file');
    expect(wireNameOfText('a/b')).toBeUndefined();
    expect(wireNameOfText('..')).toBeUndefined();
    expect(typedName('%C3%BC')).toBe('ü');
    expect(typedName('%FF')).toBeUndefined();
  });

  it('is split and joined', () => {
    expect([wireParentOf('a/b/c'), wireParentOf('a'), wireNameAtEnd('a/b'), wireNameAtEnd('a')]).toEqual([
      'a/b',
      '',
      'b',
      'a',
    ]);
    expect([joinWirePath('', 'a'), joinWirePath('a', 'b')]).toEqual(['a', 'a/b']);
  });
});
