import { fail, Mismatch, Skipped } from './outcome.ts';
import type { World } from './world.ts';

/** One sentence of the specification that can be verified over HTTP, and its check. */
export interface Clause {
  title: string;
  /** Returns if the API does what the title says. Otherwise throws a Mismatch or Skipped. */
  judge(world: World): Promise<void>;
}

export interface Section {
  /**
   * Number in the specification, for example `4.7` for the seventh heading below "Endpoints". Numbers of decisions
   * begin with D.
   */
  number: string;
  title: string;
  clauses: Clause[];
  /** True for this project's own decisions: another implementation that does otherwise differs and does not fail. */
  isDecision: boolean;
}

export type Result =
  | { outcome: 'ok' }
  | { outcome: 'fail' | 'differs'; expected: string; got: string }
  | { outcome: 'skipped'; reason: string };

export function clause(title: string, judge: (world: World) => Promise<void>): Clause {
  return { title, judge };
}

export function section(number: string, title: string, ...clauses: Clause[]): Section {
  return { number, title, clauses, isDecision: false };
}

/** Like `section`, for topics that the specification does not cover. */
export function decisions(number: string, title: string, ...clauses: Clause[]): Section {
  return { number, title, clauses, isDecision: true };
}

/** Runs a clause and returns its result. Rejects only if the run itself was aborted. */
export async function judged({ judge }: Clause, world: World): Promise<Result> {
  try {
    await judge(world);
    return { outcome: 'ok' };
  } catch (error) {
    world.signal.throwIfAborted();
    if (error instanceof Skipped) return { outcome: 'skipped', reason: error.message };
    if (error instanceof Mismatch) return { outcome: 'fail', expected: error.expected, got: error.got };
    return { outcome: 'fail', expected: 'an answer', got: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}

/** Throws a Mismatch unless the condition holds. */
export function expectThat(condition: boolean, expected: string, got: unknown): void {
  if (!condition) fail(expected, got);
}
