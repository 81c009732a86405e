import { z } from 'zod';

/**
 * How to read a field of a request. Clients match on the wording, so all failed rules of a field add their message, in
 * order, not only the first one. A rule does not know its field: messages contain `:attribute`, and `fieldErrors`
 * replaces it when the path is known.
 *
 * Before any rule runs, strings are trimmed (except passwords) and an empty string becomes null.
 */
export type Rule = (value: unknown) => string | undefined;

export interface FieldKind<T> {
  readonly rules: readonly Rule[];
  /** Converts a valid value for services. */
  readonly read: (value: unknown) => T;
  /** JSON Schema of the field, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly keepsWhitespace?: boolean;
  /** Rules of the elements, for arrays. */
  readonly elements?: readonly Rule[];
}

const REQUIRED = 'The :attribute field is required.';

/** A required field. `sentence` replaces the default message if the requirement depends on another field. */
export function required<T>(kind: FieldKind<T>, sentence: string = REQUIRED) {
  return z
    .unknown()
    .transform((input, ctx): T => {
      const value = normalise(kind, input);
      if (!isBlank(value)) return check(kind, value, ctx);
      ctx.addIssue({ code: 'custom', message: sentence, input });
      return z.NEVER;
    })
    .meta(kind.schema);
}

/** An optional field. Null means omitted. */
export function optional<T>(kind: FieldKind<T>) {
  return z
    .unknown()
    .optional()
    .transform((input, ctx): T | undefined => {
      const value = normalise(kind, input);
      return value === null ? undefined : check(kind, value, ctx);
    })
    .meta(kind.schema);
}

/** An optional field where null has its own meaning ("unlimited"). */
export function nullable<T>(kind: FieldKind<T>) {
  return z
    .unknown()
    .optional()
    .transform((input, ctx): T | null | undefined => {
      if (input === undefined) return undefined;
      const value = normalise(kind, input);
      return value === null ? null : check(kind, value, ctx);
    })
    .meta({ anyOf: [kind.schema, { type: 'null' }] });
}

/** A field that is never rejected: an invalid value becomes `fallback`. */
export function lenient<T>(kind: FieldKind<T>, fallback: T) {
  return z
    .unknown()
    .optional()
    .transform((input): T => {
      const value = normalise(kind, input);
      return value === null || kind.rules.some((rule) => rule(value) !== undefined)
        ? fallback
        : kind.read(value);
    })
    .meta(kind.schema);
}

/** Whether `required` rejects the value: null, an empty string, only white space, an empty list or object. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function normalise(kind: FieldKind<unknown>, input: unknown): unknown {
  if (input === undefined || input === '') return null;
  if (typeof input !== 'string' || kind.keepsWhitespace) return input;
  const trimmed = input.trim();
  return trimmed === '' ? null : trimmed;
}

function check<T>(kind: FieldKind<T>, value: unknown, ctx: z.core.$RefinementCtx): T {
  const refuse = (rules: readonly Rule[], checked: unknown, path: PropertyKey[]): number => {
    const sentences = rules.map((rule) => rule(checked)).filter((sentence) => sentence !== undefined);
    for (const message of sentences) ctx.addIssue({ code: 'custom', message, input: checked, path });
    return sentences.length;
  };
  let refused = refuse(kind.rules, value, []);
  if (kind.elements !== undefined && Array.isArray(value)) {
    for (const [index, element] of value.entries()) refused += refuse(kind.elements, element, [index]);
  }
  return refused === 0 ? kind.read(value) : z.NEVER;
}
