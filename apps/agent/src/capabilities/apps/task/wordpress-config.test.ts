import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phpString } from './wordpress-config.ts';

/** Parses PHP's single-quoted strings; undefined where the string ends before the text does. */
function readPhpString(source: string): string | undefined {
  const [, inside] = /^'((?:[^'\\]|\\.)*)'$/su.exec(source) ?? [];
  return inside?.replaceAll(/\\([\\'])/g, '$1');
}

test('PHP reads any encoded text back unchanged, and nothing after it', () => {
  const hostile = fc.string({
    unit: fc.constantFrom("'", '\\', '"', '$', '{', '}', ';', '?', '>', 'a', 'é'),
  });
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'grapheme' })), (text) => {
      fc.pre(!/\p{Cc}/u.test(text));
      expect(readPhpString(phpString(text))).toBe(text);
    }),
  );
});

test.each(['a\nb', 'a\0b', 'a\rb', '\x7f'])('refuses %j in a setting', (text) => {
  expect(() => phpString(text)).toThrow('control character');
});
