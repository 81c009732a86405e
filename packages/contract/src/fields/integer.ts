import type { FieldKind, Rule } from './field.ts';
import { sizeOf } from './size.ts';

const DIGITS = /^-?(?:0|[1-9]\d*)$/;

/** JSON numbers without a fraction and digit strings, both within 2^53. */
export const isInteger: Rule = (value) =>
  (typeof value === 'number' || (typeof value === 'string' && DIGITS.test(value))) &&
  Number.isSafeInteger(Number(value))
    ? undefined
    : 'The :attribute field must be an integer.';

/** `min` and `max` are inclusive. */
export function integer(bounds: { min?: number; max?: number } = {}): FieldKind<number> {
  const { min, max } = bounds;
  const rules: Rule[] = [isInteger];
  if (min !== undefined)
    rules.push((value) =>
      sizeOf(value, true) < min ? `The :attribute field must be at least ${min}.` : undefined,
    );
  if (max !== undefined)
    rules.push((value) =>
      sizeOf(value, true) > max ? `The :attribute field must not be greater than ${max}.` : undefined,
    );
  return {
    rules,
    read: readInteger,
    schema: {
      type: 'integer',
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    },
  };
}

/** Adding 0 converts -0 to 0. */
export const readInteger = (value: unknown): number => Number(value) + 0;
