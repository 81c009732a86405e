import { describe, expect, it } from 'vitest';
import { renderRecord, renderTable } from './table.ts';

const columns = [
  { title: 'NAME', value: (row: { name: string; disk: number | null }) => row.name },
  { title: 'DISK', value: (row: { name: string; disk: number | null }) => row.disk },
];

describe('a table', () => {
  it('aligns numbers right and has no space after the last column', () => {
    const rows = [
      { name: 'web1', disk: 5 },
      { name: 'w', disk: 12_000 },
      { name: 'web22', disk: null },
    ];
    expect(renderTable(columns, rows)).toBe(
      ['NAME    DISK', 'web1       5', 'w      12000', 'web22      -'].join('\n'),
    );
  });

  it('without rows has only its headings', () => {
    expect(renderTable(columns, [])).toBe('NAME  DISK');
  });

  it('does not let a value control the terminal', () => {
    expect(renderTable(columns, [{ name: 'a\u001b[2Jb\n', disk: 1 }])).toContain('a?[2Jb?');
  });
});

it('a record shows dates in UTC, booleans as words and missing values as a dash', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  expect(
    renderRecord([
      ['id', 1],
      ['created', at],
      ['internal', true],
      ['package', null],
    ]),
  ).toBe('id        1\ncreated   2026-01-02T03:04:05Z\ninternal  yes\npackage   -');
});
