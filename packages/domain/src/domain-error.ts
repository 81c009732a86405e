/** What went wrong, in words that say nothing of HTTP, SQL or the host. */
export type DomainErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'quota_exceeded'
  | 'precondition_failed'
  | 'unavailable';

/** Sentences for each rejected field: `{ username: ['The username has already been taken.'] }`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An expected refusal. Anything else that is thrown is a defect. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  /** Only for `invalid`: the fields that were refused. */
  readonly fields: FieldErrors | undefined;

  constructor(
    code: DomainErrorCode,
    message: string,
    options: { fields?: FieldErrors; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.fields = options.fields;
  }
}

/** The refusal of one field of a request. */
export function invalidField(field: string, sentence: string): DomainError {
  return new DomainError('invalid', sentence, { fields: { [field]: [sentence] } });
}

/** The refusal of several fields at once. */
export function invalidFields(fields: FieldErrors): DomainError {
  return new DomainError('invalid', Object.values(fields).flat().join(' '), { fields });
}
