/** The kind of an error, independent of HTTP, SQL and the host. */
export type DomainErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'quota_exceeded'
  | 'precondition_failed'
  | 'unavailable';

/** Messages for each rejected field: `{ username: ['The username has already been taken.'] }`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An expected error. Every other thrown error is a defect. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  /** The rejected fields. Only for `invalid`. */
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

/** The request did not finish in time. It may still finish. */
export class RequestTimeoutError extends DomainError {
  constructor() {
    super('unavailable', 'The request took too long.');
    this.name = 'RequestTimeoutError';
  }
}

/**
 * The connection to the database failed, or was lost before the answer to a statement. The message contains the server,
 * never the password: it is for logs and operators.
 */
export class DatabaseUnreachableError extends Error {
  constructor(server: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || errorCode(cause) : String(cause);
    super(`The database at ${server} cannot be reached: ${reason}`);
    this.name = 'DatabaseUnreachableError';
  }
}

function errorCode(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

/** The error for one rejected field of a request. */
export function invalidField(field: string, sentence: string): DomainError {
  return new DomainError('invalid', sentence, { fields: { [field]: [sentence] } });
}

/** The error for several rejected fields. */
export function invalidFields(fields: FieldErrors): DomainError {
  return new DomainError('invalid', Object.values(fields).flat().join(' '), { fields });
}

/** Messages for fields that conflict with existing records, in the wording that clients match on. */
export const recordSentences = {
  taken: (field: string) => `The ${words(field)} has already been taken.`,
  selectionInvalid: (field: string) => `The selected ${words(field)} is invalid.`,
  atLeast: (field: string, min: number) => `The ${words(field)} field must be at least ${min}.`,
} as const;

/** A field's name as words: `package_id` becomes "package id". */
export function words(field: string): string {
  return field.replaceAll('_', ' ');
}
