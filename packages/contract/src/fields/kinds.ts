import { canonicalAddress, EMAIL_MAX_CHARACTERS, isEmailAddress, isPrintableLine } from '@innkeeper/domain';
import type { FieldKind, Rule } from './field.ts';

/**
 * The size for minimum and maximum rules: the number of elements of an array, the value of a number under a numeric
 * rule, the number of characters of anything else. So `"abc"` has size 3, and fails both
 * "must be an integer" and "must be at least 100".
 */
export function sizeOf(value: unknown, numeric: boolean): number {
  if (typeof value === 'object') return value === null ? 0 : Object.keys(value).length;
  if (numeric && typeof value === 'number') return value;
  if (numeric && typeof value === 'string' && NUMERIC.test(value)) return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return characters(String(value));
}

const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Code points, not UTF-16 units. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const DIGITS = /^-?(?:0|[1-9]\d*)$/;

/** JSON numbers without a fraction and digit strings, both within 2^53. */
const isInteger: Rule = (value) =>
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
const readInteger = (value: unknown): number => Number(value) + 0;

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

/** An email address as in RFC 5321, without quoted local parts and address literals. */
export function email(): FieldKind<string> {
  return {
    rules: [
      (value) =>
        typeof value === 'string' && isEmailAddress(value)
          ? undefined
          : 'The :attribute field must be a valid email address.',
      (value) =>
        sizeOf(value, false) > EMAIL_MAX_CHARACTERS
          ? `The :attribute field must not be greater than ${EMAIL_MAX_CHARACTERS} characters.`
          : undefined,
    ],
    read: String,
    schema: { type: 'string', format: 'email', maxLength: EMAIL_MAX_CHARACTERS },
  };
}

/** An IPv4 or IPv6 address. Normalized to its canonical notation. */
export function ipAddress(): FieldKind<string> {
  return {
    rules: [
      (value) =>
        typeof value === 'string' && canonicalAddress(value) !== undefined
          ? undefined
          : 'The :attribute field must be a valid IP address.',
    ],
    read: (value) => canonicalAddress(String(value)) ?? '',
    schema: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
  };
}
