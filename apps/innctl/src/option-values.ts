import { InvalidArgumentError } from 'commander';

/** A whole number for an option. The use case checks the bounds. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('The value must be a whole number.');
  return value;
}

/** A whole number between two bounds, both included. */
export function wholeNumberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text);
    if (value < min || value > max)
      throw new InvalidArgumentError(`The value must be from ${min} to ${max}.`);
    return value;
  };
}

/** A limit as commander stores it. Commander would turn null into an empty text. */
export type Limit = number | 'none';

/** A whole number, or `none`: no limit. */
export function limit(text: string): Limit {
  if (text === 'none') return text;
  try {
    return wholeNumber(text);
  } catch {
    throw new InvalidArgumentError('The value must be a whole number or "none".');
  }
}

/** Converts a limit for use cases: `none` to null. Undefined stays undefined. */
export function limitValue<T extends Limit | undefined>(value: T): Exclude<T, 'none'> | null {
  return value === 'none' ? null : (value as Exclude<T, 'none'>);
}

/** An option that can be repeated. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A date, an ISO 8601 time (UTC if it has no zone), or an age: `90m`, `12h`, `7d`. */
export function pointInTime(text: string): Date {
  const age = /^(\d{1,6})([mhd])$/.exec(text);
  if (age !== null) return new Date(Date.now() - Number(age[1]) * UNIT_MS[age[2] as keyof typeof UNIT_MS]);
  const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  const time =
    iso === null ? Number.NaN : Date.parse(iso[1] !== undefined && iso[4] === undefined ? `${text}Z` : text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError(
      'The value must be a date (2026-11-21), an ISO 8601 time, or an age (90m, 12h, 7d).',
    );
  return new Date(time);
}
