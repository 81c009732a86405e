import type { Result, Section } from './clause.ts';

/** Output of a run: a line for each clause on standard output, progress on standard error. */
export interface Report {
  section(section: Section): void;
  clause(number: string, title: string, result: Result): void;
  pause(seconds: number): void;
  note(words: string): void;
}

export interface Counts {
  ok: number;
  fail: number;
  /** Differences from decisions, which are this project's own. */
  differs: number;
  skipped: number;
}

const COLOURS = { ok: 32, FAIL: 31, differs: 35, skipped: 33 } as const;

export function createReport(total: number, counts: Counts): Report {
  const { stdout, stderr } = process;
  let done = 0;
  let isShown = false;
  // Erases the progress line before other output is written.
  const erase = () => {
    if (isShown) stderr.write('\r\x1b[K');
    isShown = false;
  };
  const print = (line: string) => {
    erase();
    stdout.write(`${line}\n`);
  };
  const paint = (word: keyof typeof COLOURS) => {
    const padded = word.padEnd(7);
    return stdout.isTTY ? `\x1b[${COLOURS[word]}m${padded}\x1b[0m` : padded;
  };
  return {
    section: ({ number, title }) => print(`\n${number} ${title}`),
    clause: (number, title, result) => {
      done++;
      counts[result.outcome]++;
      print(
        `${number.padEnd(8)} ${paint(result.outcome === 'fail' ? 'FAIL' : result.outcome)}  ${title}${why(result)}`,
      );
    },
    pause: (seconds) => {
      const words = `${done} of ${total} clauses; the rate limit is used up, ${seconds} s until the next request`;
      erase();
      stderr.write(stderr.isTTY ? words : `  ... ${words}\n`);
      isShown = stderr.isTTY === true;
    },
    note: (words) => {
      erase();
      stderr.write(`${words}\n`);
    },
  };
}

/** Returns the reason on one line: line breaks of an answer are replaced. */
function why(result: Result): string {
  if (result.outcome === 'ok') return '';
  const words =
    result.outcome === 'skipped' ? ` (${result.reason})` : `: expected ${result.expected}, got ${result.got}`;
  return words.replaceAll(/\s+/g, ' ');
}
