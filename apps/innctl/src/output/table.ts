export type Cell = string | number | boolean | Date | null | undefined;

export interface Column<Row> {
  title: string;
  value: (row: Row) => Cell;
}

/** Renders a table with two spaces between columns. Columns of numbers are right-aligned. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const body = rows.map((row) => columns.map(({ value }) => value(row)));
  const texts = [columns.map(({ title }) => title), ...body.map((cells) => cells.map(renderCell))];
  const widths = columns.map((_, index) => Math.max(...texts.map((line) => line[index]!.length)));
  const numeric = columns.map(
    (_, index) =>
      body.some((cells) => typeof cells[index] === 'number') &&
      body.every((cells) => cells[index] == null || typeof cells[index] === 'number'),
  );
  return texts
    .map((line) =>
      line
        .map((text, index) => (numeric[index] ? text.padStart(widths[index]!) : text.padEnd(widths[index]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Renders one record, one line per property. */
export function renderRecord(pairs: readonly (readonly [title: string, value: Cell])[]): string {
  const width = Math.max(...pairs.map(([title]) => title.length));
  return pairs.map(([title, value]) => `${title.padEnd(width)}  ${renderCell(value)}`.trimEnd()).join('\n');
}

function renderCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '-';
  if (cell instanceof Date) return cell.toISOString().replace(/\.\d+Z$/, 'Z');
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // A name from the database must not move the cursor or change the colors of the terminal.
  return String(cell).replace(/\p{Cc}/gu, '?');
}
