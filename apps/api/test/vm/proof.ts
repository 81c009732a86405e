import { noteProof } from '@innkeeper/testkit';
import { test } from 'vitest';

/** Adds to what was seen: a few words with a figure. */
export type Saw = (words: string) => void;

/**
 * A test whose name states a fault (or a demand) and the product's promise. With what it saw it becomes a row of
 * docs/reliability.md.
 */
export function proves(fault: string, promise: string, work: (saw: Saw) => Promise<void>): void {
  test(`${fault}: ${promise}`, async () => {
    const seen: string[] = [];
    await work((words) => seen.push(words));
    noteProof({ fault, promise, seen: seen.join('; ') });
  });
}
