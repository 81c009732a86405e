import { EMAIL_MAX_CHARACTERS, isEmailAddress } from '@innkeeper/domain';
import type { FieldKind } from './field.ts';
import { sizeOf } from './size.ts';

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
