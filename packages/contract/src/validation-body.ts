import { DomainError, type FieldErrors } from '@innkeeper/domain';
import type { z } from 'zod';

/** The errors of the rejected fields, in the order of the schema, with all messages of each field. */
export function fieldErrors(error: z.core.$ZodError): FieldErrors {
  const fields = new Map<string, string[]>();
  for (const issue of error.issues) {
    const field = issue.path.length === 0 ? 'body' : issue.path.join('.');
    const sentence =
      issue.path.length === 0
        ? 'The body field must be an object.'
        : issue.message.replace(':attribute', displayName(field));
    fields.set(field, [...(fields.get(field) ?? []), sentence]);
  }
  return Object.fromEntries(fields);
}

/**
 * Parses the fields of a request. Throws DomainError `invalid` with the errors of the schema and those in `refused`, which
 * no schema can find.
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
  refused: FieldErrors = {},
): z.output<Schema> {
  const result = schema.safeParse(fields);
  const errors = { ...(result.success ? {} : fieldErrors(result.error)), ...refused };
  if (!result.success || Object.keys(errors).length > 0)
    throw new DomainError('invalid', validationBody(errors).message, { fields: errors });
  return result.data;
}

/** The 422 body: the first message and the number of further messages. */
export function validationBody(errors: FieldErrors): { message: string; errors: FieldErrors } {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  if (more.length === 0) return { message: first, errors };
  return { message: `${first} (and ${more.length} more ${more.length === 1 ? 'error' : 'errors'})`, errors };
}

/** Elements of arrays keep their dotted name. In other names underscores become spaces. */
function displayName(field: string): string {
  return field.includes('.') ? field : field.replaceAll('_', ' ');
}
