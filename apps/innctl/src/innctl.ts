import type { InnctlConfig } from './config.ts';
import { type Column, renderTable } from './output/table.ts';
import type { Terminal } from './terminal.ts';

/** Context of every command. It reads and opens nothing before a command needs it. */
export interface Innctl {
  terminal: Terminal;
  config(): InnctlConfig;
}

export interface OutputOptions {
  json?: true;
}

/** Prints the result of a command: as text, or with `--json` as one JSON document. */
export function print(terminal: Terminal, options: OutputOptions, value: unknown, text: string): void {
  terminal.out(options.json ? JSON.stringify(value, null, 2) : text);
}

/** Prints one page of records as a table, or with `--json` as the page. */
export function printPage<Row>(
  terminal: Terminal,
  options: OutputOptions,
  page: { items: readonly Row[]; total: number },
  columns: readonly Column<Row>[],
): void {
  const table = renderTable(columns, page.items);
  const { length } = page.items;
  print(terminal, options, page, length < page.total ? `${table}\n${length} of ${page.total}` : table);
}
