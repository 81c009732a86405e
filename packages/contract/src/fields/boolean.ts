import type { FieldKind } from './field.ts';

const TRUE: readonly unknown[] = [true, 1, '1'];
const FALSE: readonly unknown[] = [false, 0, '0'];

/** true, false, 1, 0, "1", "0". The words "true" and "false" are rejected. */
export function boolean(): FieldKind<boolean> {
  return {
    rules: [
      (value) =>
        TRUE.includes(value) || FALSE.includes(value)
          ? undefined
          : 'The :attribute field must be true or false.',
    ],
    read: (value) => TRUE.includes(value),
    schema: { type: 'boolean' },
  };
}
