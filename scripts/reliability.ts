import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProofRow } from '@innkeeper/testkit/machine';

const TESTS = join(import.meta.dirname, '../apps/api/test/vm');
/** The files in the order of the table. */
const FILES = ['limits.ts', 'faults.ts'];
const CALL = /^\s*proves(?:AtLength)?\(\s*('(?:[^'\\]|\\.)*'|"[^"]*"),\s*('(?:[^'\\]|\\.)*'|"[^"]*"),/gm;

/** Returns the tests that show a promise in the virtual machines, in their order. */
export function provenPromises(): Omit<ProofRow, 'seen'>[] {
  return FILES.flatMap((file) => {
    const text = readFileSync(join(TESTS, file), 'utf8');
    return [...text.matchAll(CALL)].map(([, fault, promise]) => ({
      fault: fault!.slice(1, -1),
      promise: promise!.slice(1, -1),
    }));
  });
}

export const titleOf = ({ fault, promise }: Omit<ProofRow, 'seen'>) => `${fault}: ${promise}`;

/** Returns the rows of the page's table. */
export function pageRows(page: string): ProofRow[] {
  const lines = page.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, fault = '', promise = '', debian12 = '', debian13 = ''] = cells;
    return { fault, promise, seen: { debian12, debian13 } };
  });
}
