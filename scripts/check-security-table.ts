/**
 * Checks docs/security.md: every row of its tables names the protection against the attack and at least one test. Every
 * named test must exist with exactly that name in exactly that file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TABLE = 'docs/security.md';
export interface SecurityRow {
  readonly id: string;
  readonly defence: string;
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

/** Returns the rows of all tables in the text whose header starts with "id". */
export function rowsOf(text: string): SecurityRow[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:id|---)/.test(line))
    .map((line) => {
      const [, id = '', , defence = '', tests = ''] = line.split('|').map((cell) => cell.trim());
      return { id, defence, tests: testsOf(tests) };
    });
}

/** Parses `file` › `name`, and further names of the same file: `file` › `name`, `name`. */
function testsOf(cell: string): SecurityRow['tests'] {
  let file = '';
  return [...cell.matchAll(/`([^`]+)`( ›)?/g)].flatMap(([, text = '', isFile]) => {
    if (isFile === undefined) return [{ file, name: text }];
    file = text;
    return [];
  });
}

/** Returns whether a test file has a test, or a table of tests, with this name. */
export function hasTest(source: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'");
  return new RegExp(`(?:\\b(?:it|test)(?:\\.\\w+)*|\\))\\(\\s*(['"\`])${escaped}\\1`).test(source);
}

/**
 * Returns the defects of the rows, as sentences. `read` returns a file's text, or undefined if the file does not exist.
 */
export function defectsOf(
  rows: readonly SecurityRow[],
  read: (file: string) => string | undefined,
): string[] {
  const seen = new Set<string>();
  return rows.flatMap(({ id, defence, tests }) => {
    const found: string[] = [];
    if (seen.has(id)) found.push(`${id} has two rows`);
    seen.add(id);
    if (/^(?:open)?$/i.test(defence)) found.push(`${id} is open: it must say what stops the attack`);
    if (tests.length === 0) found.push(`${id} names no test`);
    for (const { file, name } of tests) {
      const source = read(file);
      if (source === undefined) found.push(`${id} names ${file}, which does not exist`);
      else if (!hasTest(source, name)) found.push(`${id} names "${name}", which ${file} does not have`);
    }
    return found;
  });
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const rows = rowsOf(readFileSync(join(root, TABLE), 'utf8'));
  const defects = defectsOf(rows, (file) => {
    const path = join(root, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  });
  if (rows.length === 0) defects.push('it has no rows');
  for (const defect of defects) console.error(`${TABLE}: ${defect}`);
  if (defects.length > 0) process.exit(1);
  console.log(`security: ${rows.length} rows, each with its tests`);
}
