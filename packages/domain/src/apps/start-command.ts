import { isPrintableLine } from '../printable-line.ts';

export const START_COMMAND_MAX_CHARACTERS = 1_000;

export type StartCommandReading = { words: string[]; refused?: never } | { refused: string; words?: never };

/** Characters that a shell interprets outside quotes, with their purpose. */
const SHELL_SYNTAX: readonly [characters: string, what: string][] = [
  [';', 'a list of commands'],
  ['|', 'a pipe'],
  ['&', 'a list of commands'],
  ['<>', 'a redirect'],
  ['()', 'a subshell'],
  ['$`', 'a substitution'],
  ['*?[]{}', 'a pattern'],
  ['\\', 'an escape'],
];
/** Characters that a shell also interprets inside double quotes. */
const ALSO_IN_DOUBLE_QUOTES = '$`\\';

/**
 * Splits a program's start command into words: separated by blanks, with '...' and "..." around words with blanks. No
 * shell ever runs it. So syntax that only a shell understands is rejected with an explanation, instead of being passed
 * to the program literally.
 */
export function readStartCommand(text: string): StartCommandReading {
  if (!isPrintableLine(text)) return { refused: 'must be one line without control characters' };
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (const character of text) {
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (quote === '"' && ALSO_IN_DOUBLE_QUOTES.includes(character)) return refuseSyntax(character);
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (isShellSyntax(character) || (word === undefined && '~#'.includes(character)))
      return refuseSyntax(character);
    else word = (word ?? '') + character;
  }
  if (quote !== undefined) return { refused: `must close the quote ${quote} that it opens` };
  if (word !== undefined) words.push(word);
  return checkProgram(words);
}

function checkProgram(words: string[]): StartCommandReading {
  const [program] = words;
  if (program === undefined || program === '') return { refused: 'must name a program' };
  if (program.startsWith('-')) return { refused: 'must name a program before its options' };
  if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(program))
    return { refused: 'must begin with a program: variables belong into env' };
  return { words };
}

function isShellSyntax(character: string): boolean {
  return SHELL_SYNTAX.some(([characters]) => characters.includes(character));
}

function refuseSyntax(character: string): StartCommandReading {
  const what = SHELL_SYNTAX.find(([characters]) => characters.includes(character))?.[1] ?? 'a shorthand';
  return { refused: `must not have ${character} (${what}): no shell reads it` };
}
