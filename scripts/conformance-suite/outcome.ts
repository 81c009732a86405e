/** Results of a clause that did not pass. */

/** The API did something different from what the clause says. */
export class Mismatch extends Error {
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
    this.name = 'Mismatch';
  }
}

/** The clause cannot be checked here, with the reason. */
export class Skipped extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Skipped';
  }
}

/** Returns a JSON value on one short line, for a message. */
export function brief(value: unknown, length = 160): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length > length ? `${text.slice(0, length)} …` : text;
}

export function fail(expected: string, got: unknown): never {
  throw new Mismatch(expected, typeof got === 'string' ? got : brief(got));
}

export function skip(reason: string): never {
  throw new Skipped(reason);
}
