import { describe, expect, it } from 'vitest';
import { defectsOf, hasTest, rowsOf } from './check-security-table.ts';

const row = (id: string, tests: string, defence = 'a fence') =>
  `| ${id} | an attack | ${defence} | ${tests} |`;
const defects = (lines: string[], files: Record<string, string> = {}) =>
  defectsOf(rowsOf(lines.join('\n')), (file) => files[file]);

describe('the check of the security table', () => {
  const source = `test('locks the door', () => {});\nit.each([\n  1,\n])('door %i', () => {});`;

  it('accepts rows whose tests exist', () => {
    const lines = ['| id | attack | what stops it | test |', '|---|---|---|---|'];
    lines.push(row('X1', '`a.test.ts` › `locks the door`, `a.test.ts` › `door %i`'));
    expect(defects(lines, { 'a.test.ts': source })).toEqual([]);
  });

  it.each([
    ['a missing file', row('X1', '`b.test.ts` › `locks the door`')],
    ['a test of another name', row('X1', '`a.test.ts` › `locks the doors`')],
    ['a second name that the file does not have', row('X1', '`a.test.ts` › `locks the door`, `door`')],
    ['a part of a name', row('X1', '`a.test.ts` › `locks the`')],
    ['a row without a test', row('X1', 'by review')],
  ])('names %s', (_, line) => {
    expect(defects([line], { 'a.test.ts': source })).toHaveLength(1);
  });

  it('names an id that has two rows', () => {
    const line = row('X1', '`a.test.ts` › `locks the door`');
    expect(defects([line, line], { 'a.test.ts': source })).toEqual(['X1 has two rows']);
  });

  it.each(['open', 'Open', ''])('names a row whose defence is "%s", whatever its tests', (defence) => {
    const line = row('X1', '`a.test.ts` › `locks the door`', defence);
    expect(defects([line], { 'a.test.ts': source })).toEqual([
      'X1 is open: it must say what stops the attack',
    ]);
  });

  it('finds a name with a quote in it, and none in a comment', () => {
    expect(hasTest(String.raw`test('it\'s shut', f)`, "it's shut")).toBe(true);
    expect(hasTest(`// locks the door`, 'locks the door')).toBe(false);
  });
});
