import { type FieldKind, text } from '../fields/index.ts';

/** A password is not trimmed. */
export function password(): FieldKind<string> {
  return text({ min: 8, max: 255, keepsWhitespace: true, schema: { format: 'password' } });
}
