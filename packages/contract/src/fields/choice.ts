import type { FieldKind } from './field.ts';

/** One value of a list. */
export function choice<const Word extends string>(words: readonly Word[]): FieldKind<Word> {
  return {
    rules: [
      (value) => (words.some((word) => word === value) ? undefined : 'The selected :attribute is invalid.'),
    ],
    read: (value) => value as Word,
    schema: { type: 'string', enum: [...words] },
  };
}
