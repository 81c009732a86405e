import type { FieldKind } from './field.ts';
import { sizeOf } from './size.ts';

const MAX_CHARACTERS = 255;
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** An address as RFC 5321 has it, without quoted local parts and address literals. */
export function email(): FieldKind<string> {
  return {
    rules: [
      (value) =>
        typeof value === 'string' && isAddress(value)
          ? undefined
          : 'The :attribute field must be a valid email address.',
      (value) =>
        sizeOf(value, false) > MAX_CHARACTERS
          ? `The :attribute field must not be greater than ${MAX_CHARACTERS} characters.`
          : undefined,
    ],
    read: String,
    schema: { type: 'string', format: 'email', maxLength: MAX_CHARACTERS },
  };
}

function isAddress(value: string): boolean {
  const at = value.lastIndexOf('@');
  return at > 0 && at <= 64 && LOCAL.test(value.slice(0, at)) && HOST.test(value.slice(at + 1));
}
