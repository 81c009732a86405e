import type { Formats } from '../../language/formats.ts';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `812 B`, `1.2 KB`, `4.1 MB`: 1 KB is 1,024 bytes, as in the other sizes of the panel. */
export function fileSize({ number }: Pick<Formats, 'number'>, bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${number(value >= 100 ? Math.round(value) : value)} ${UNITS[unit]}`;
}

/** `755` */
export function shownMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
