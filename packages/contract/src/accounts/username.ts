import { USERNAME_PATTERN } from '@innkeeper/domain';
import { type FieldKind, text } from '../fields/index.ts';

const LETTERS = /^[A-Za-z0-9_-]*$/;

/** 3-16 ASCII letters, digits, dashes and underscores. Normalized to lowercase. */
export function username(): FieldKind<string> {
  return text({
    min: 3,
    max: 16,
    accepts: (name) => LETTERS.test(name),
    read: (name) => name.toLowerCase(),
    schema: { pattern: USERNAME_PATTERN.source },
  });
}
