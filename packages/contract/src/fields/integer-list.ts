import type { FieldKind } from './field.ts';
import { isInteger, readInteger } from './integer.ts';

/** An array of integers. Duplicates are removed before `max` applies. */
export function integerList(bounds: { max: number }): FieldKind<number[]> {
  return {
    rules: [
      (value) => (Array.isArray(value) ? undefined : 'The :attribute field must be an array.'),
      (value) =>
        Array.isArray(value) && new Set(value.map(String)).size > bounds.max
          ? `The :attribute field must not have more than ${bounds.max} items.`
          : undefined,
    ],
    elements: [isInteger],
    read: (value) => [...new Set((value as unknown[]).map(readInteger))],
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: bounds.max },
  };
}
