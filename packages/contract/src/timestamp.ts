import { z } from 'zod';

/** A point in time on the wire: UTC with microseconds, `2026-11-21T00:37:37.000000Z`. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  .meta({ format: 'date-time' })
  .brand('timestamp');

/** See `timestamp`. Dates in years 0 to 9999. */
export function formatTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

/** What a service returns for a response: its type, with Date for every timestamp. */
export type ViewOf<Schema extends z.ZodType> = WithDates<z.output<Schema>>;

type WithDates<T> =
  T extends z.output<typeof timestamp>
    ? Date
    : T extends readonly (infer Item)[]
      ? readonly WithDates<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]: WithDates<T[Key]> }
        : T;
