import { fail, Mismatch, Skipped } from './outcome.ts';
import type { World } from './world.ts';

/** One sentence of the specification that can be seen over HTTP, and how. */
export interface Clause {
  title: string;
  /** Returns when the API does what the title says; throws a Mismatch or Skipped otherwise. */
  judge(world: World): Promise<void>;
}

export interface Section {
  /** As the specification numbers it, `4.7` for the seventh heading below "Endpoints"; decisions begin with D. */
  number: string;
  title: string;
  clauses: Clause[];
  /** Of this project's own decisions: what another implementation does otherwise differs and does not fail. */
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

/** As `section`, where the specification is silent. */
export function decisions(number: string, title: string, ...clauses: Clause[]): Section {
  return { number, title, clauses, isDecision: true };
}

/** Judges a clause. Rejects only when the run itself was aborted. */
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
