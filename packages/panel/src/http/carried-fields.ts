import type { Form } from '../env.ts';

export type CarriedField = readonly [name: string, value: string];

/**
 * The submitted fields of a form as hidden fields of another page. Without passwords, which the user enters again, and
 * without the fields in `except`.
 */
export function carriedFields(form: Form, except: readonly string[]): CarriedField[] {
  return Object.entries(form).flatMap(([name, value]): CarriedField[] => {
    if (name.includes('password') || except.includes(name)) return [];
    if (typeof value === 'string') return [[name, value]];
    if (Array.isArray(value)) return value.filter(isText).map((one) => [`${name}[]`, one] as const);
    const keyed = Object.entries((value ?? {}) as Record<string, unknown>);
    return keyed.flatMap(([key, one]) => (isText(one) ? [[`${name}[${key}]`, one] as const] : []));
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
