import { isPrintableLine } from '@innkeeper/domain';
import type { FieldKind, Rule } from './field.ts';
import { sizeOf } from './size.ts';

export interface TextOptions {
  /** In characters. */
  min?: number;
  max: number;
  /** Whether the trimmed text has a valid format. */
  accepts?: (text: string) => boolean;
  /** Converts the text for services. Default: no conversion. */
  read?: (text: string) => string;
  /** Replaces the message for a wrong format. */
  refusal?: string;
  keepsWhitespace?: boolean;
  schema?: Readonly<Record<string, unknown>>;
}

/** A string on one line. */
export function text(options: TextOptions): FieldKind<string> {
  const { min, max, accepts = () => true, read = (text) => text } = options;
  const { refusal = 'The :attribute field format is invalid.' } = options;
  const rules: Rule[] = [
    (value) => (typeof value === 'string' ? undefined : 'The :attribute field must be a string.'),
  ];
  if (min !== undefined)
    rules.push((value) =>
      sizeOf(value, false) < min ? `The :attribute field must be at least ${min} characters.` : undefined,
    );
  rules.push(
    (value) =>
      sizeOf(value, false) > max
        ? `The :attribute field must not be greater than ${max} characters.`
        : undefined,
    (value) =>
      typeof value === 'string' && (!isPrintableLine(value) || !accepts(value)) ? refusal : undefined,
  );
  return {
    rules,
    read: (value) => read(String(value)),
    schema: {
      type: 'string',
      ...(min === undefined ? {} : { minLength: min }),
      maxLength: max,
      ...options.schema,
    },
    ...(options.keepsWhitespace ? { keepsWhitespace: true } : {}),
  };
}
