import type { Answer } from './answer.ts';
import { brief, Mismatch } from './outcome.ts';
import { expectShape } from './shape.ts';

/** The three body shapes of the section "Errors". */

export const MISSING_ABILITY = 'This API token does not have the required permission.';
export const FOREIGN_ADDRESS = 'This API token is not allowed from your IP address.';

/** `{ message }` with that status, and with `message` if it is given. */
export function expectMessage(answer: Answer, status: number, message?: string): void {
  answer.expect(status).expectShape('', { fields: { message: 'string' } });
  if (message !== undefined) answer.expectAt('message', message);
}

/** 422 with `{ message, errors }` that names each of the fields. */
export function expectInvalid(answer: Answer, ...fields: string[]): void {
  answer.expect(422).expectShape('', { fields: { message: 'string', errors: 'object' } });
  const errors = answer.at('errors') as Record<string, unknown>;
  for (const [field, sentences] of Object.entries(errors)) {
    expectShape(sentences, 'list of strings', `errors.${field}`);
    if ((sentences as string[]).length === 0)
      throw new Mismatch(`errors.${field}: at least one sentence`, '[]');
  }
  for (const field of fields)
    if (!(field in errors))
      throw new Mismatch(`${answer.request}: 422 with errors.${field}`, brief(Object.keys(errors)));
}

/** 422 in any of the three shapes. */
export function expectRefused(answer: Answer): void {
  answer.expect(422);
  if (!isErrorBody(answer.body)) throw new Mismatch('a body with message or error', answer.excerpt());
}

/** 422 with `{ error }`. */
export function expectServiceError(answer: Answer): void {
  answer.expect(422).expectShape('', { fields: { error: 'string' } });
}

export function isErrorBody(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return (
    ('message' in body && typeof body.message === 'string') ||
    ('error' in body && typeof body.error === 'string')
  );
}
