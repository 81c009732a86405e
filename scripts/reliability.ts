import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(import.meta.dirname, '../apps/api/test/vm');
/** The files in the order of the table. */
const FILES = ['limits.test.ts', 'faults.test.ts'];
const CALL = /^proves\(\s*('(?:[^'\\]|\\.)*'|"[^"]*"),\s*('(?:[^'\\]|\\.)*'|"[^"]*"),/gm;

/** Returns the titles of the tests that show a promise in the virtual machine, `fault: promise`, in their order. */
export function provenTitles(): string[] {
  return FILES.flatMap((file) => {
    const text = readFileSync(join(TESTS, file), 'utf8');
    return [...text.matchAll(CALL)].map(
      ([, fault, promise]) => `${fault!.slice(1, -1)}: ${promise!.slice(1, -1)}`,
    );
  });
}

/** Returns the rows of the page's table as `fault: promise`. */
export function pageTitles(page: string): string[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => {
    const [, fault, promise] = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    return `${fault}: ${promise}`;
  });
}
