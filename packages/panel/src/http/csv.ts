import { stringify } from 'csv-stringify/sync';
import type { PanelContext } from '../env.ts';

const FORMAT = { escape_formulas: true, record_delimiter: 'windows' } as const;

interface Csv {
  /** Name of the downloaded file. */
  file: string;
  /** First line, and the order of the cells. */
  columns: readonly string[];
  /** Rows, a part at a time, by the names of the columns. */
  parts: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>;
}

/**
 * A list as CSV (RFC 4180, UTF-8), sent while it is read. Cells that a spreadsheet would run as a formula begin with an
 * apostrophe. An error in the middle breaks the connection, so that a part never looks complete.
 */
export function sendCsv(c: PanelContext, csv: Csv): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8');
  c.header('Content-Disposition', `attachment; filename="${csv.file}"`);
  return c.body(ReadableStream.from(linesOf(csv)) as ReadableStream<Uint8Array>);
}

async function* linesOf({ columns, parts }: Csv): AsyncGenerator<Uint8Array> {
  const encode = (text: string) => new TextEncoder().encode(text);
  yield encode(stringify([[...columns]], FORMAT));
  for await (const rows of parts)
    if (rows.length > 0) yield encode(stringify([...rows], { ...FORMAT, columns: [...columns] }));
}
