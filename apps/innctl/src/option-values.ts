import { InvalidArgumentError } from 'commander';

/** A whole number for an option. Its bounds are the use case's to know. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

/** A whole number between two bounds, both included. */
export function wholeNumberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text);
    if (value < min || value > max) throw new InvalidArgumentError(`It must be from ${min} to ${max}.`);
    return value;
  };
}

/** What commander keeps of a limit: it would make an empty text of null. */
export type Limit = number | 'none';

/** A whole number, or `none`: no limit. */
export function limit(text: string): Limit {
  if (text === 'none') return text;
  try {
    return wholeNumber(text);
  } catch {
    throw new InvalidArgumentError('It must be a whole number, or "none".');
  }
}

/** The limit as use cases take it; undefined stays so. */
export function limitValue<T extends Limit | undefined>(value: T): Exclude<T, 'none'> | null {
  return value === 'none' ? null : (value as Exclude<T, 'none'>);
}

/** An option that may be given more than once. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
