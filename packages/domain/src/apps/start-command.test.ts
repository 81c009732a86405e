import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readStartCommand } from './start-command.ts';

it.each([
  ['npm start', ['npm', 'start']],
  ['  node   server.js  ', ['node', 'server.js']],
  ["node 'my server.js' --title=\"It's on\"", ['node', 'my server.js', "--title=It's on"]],
  ['node a"b"\'c\'d', ['node', 'abcd']],
  ['node \'\' ""', ['node', '', '']],
  [
    "node --eval 'console.log(`$HOME`); a && b | c > d'",
    ['node', '--eval', 'console.log(`$HOME`); a && b | c > d'],
  ],
  ['node "a;b&c|d(e)*?[x]{y}<z>"', ['node', 'a;b&c|d(e)*?[x]{y}<z>']],
  ['./bin/www a~b a#b 100%', ['./bin/www', 'a~b', 'a#b', '100%']],
])('reads %j', (text, words) => {
  expect(readStartCommand(text)).toEqual({ words });
});

it.each([
  ['', 'must name a program'],
  ['   ', 'must name a program'],
  ["'' x", 'must name a program'],
  ['--inspect server.js', 'must name a program before its options'],
  ['PORT=3000 node server.js', 'must begin with a program: variables belong into env'],
  ['node a; rm -rf b', 'must not have ; (a list of commands): no shell reads it'],
  ['node a && node b', 'must not have & (a list of commands): no shell reads it'],
  ['node a | tee log', 'must not have | (a pipe): no shell reads it'],
  ['node a > log', 'must not have > (a redirect): no shell reads it'],
  ['node < in', 'must not have < (a redirect): no shell reads it'],
  ['node $HOME', 'must not have $ (a substitution): no shell reads it'],
  ['node "$HOME"', 'must not have $ (a substitution): no shell reads it'],
  ['node "`id`"', 'must not have ` (a substitution): no shell reads it'],
  ['node "a\\"b"', 'must not have \\ (an escape): no shell reads it'],
  ['node a\\ b', 'must not have \\ (an escape): no shell reads it'],
  ['(node a)', 'must not have ( (a subshell): no shell reads it'],
  ['node *.js', 'must not have * (a pattern): no shell reads it'],
  ['node {a,b}', 'must not have { (a pattern): no shell reads it'],
  ['node ~/a', 'must not have ~ (a shorthand): no shell reads it'],
  ['node # a', 'must not have # (a shorthand): no shell reads it'],
  ["node 'a", "must close the quote ' that it opens"],
  ['node "a', 'must close the quote " that it opens'],
  ['node a\nb', 'must be one line without control characters'],
  ['node a\0', 'must be one line without control characters'],
  ['node\ta', 'must be one line without control characters'],
])('refuses %j', (text, refused) => {
  expect(readStartCommand(text)).toEqual({ refused });
});

const printable = fc.string({ unit: fc.constantFrom(...'abcXYZ019 -_=./:@%,+;|&<>()$`*?[]{}\\~#!"äß') });

it('returns quoted words unchanged, with any content', () => {
  fc.assert(
    fc.property(fc.array(printable, { maxLength: 6 }), (rest) => {
      const words = ['node', ...rest];
      const text = words.map((word) => `'${word}'`).join(' ');
      expect(readStartCommand(text)).toEqual({ words });
    }),
  );
});

it('accepts no text that a shell would change, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(printable, fc.string()), (text) => {
      const { words, refused } = readStartCommand(text);
      expect(words === undefined).toBe(refused !== undefined);
      if (words === undefined) return;
      const outside = text.replaceAll(/'[^']*'|"[^"]*"/g, '');
      expect(outside).not.toMatch(/[;|&<>()$`*?[\]{}\\]/);
      expect(words[0]).not.toBe('');
    }),
  );
});

it('without quotes, splits at blanks', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'abc019-_./:@%,+ '), minLength: 1 });
  fc.assert(
    fc.property(plain, (text) => {
      const { words } = readStartCommand(`node ${text}`);
      expect(words).toEqual(['node', ...text.split(' ').filter((word) => word !== '')]);
    }),
  );
});
