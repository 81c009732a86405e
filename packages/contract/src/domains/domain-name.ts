import { DOMAIN_NAME_MAX_CHARACTERS, readDomainName, withoutTrailingDot } from '@innkeeper/domain';
import type { FieldKind } from '../fields/index.ts';
import { sizeOf } from '../fields/size.ts';

/** A fully qualified domain name. Normalized to lowercase ASCII (punycode) without a trailing dot. */
export function domainName(): FieldKind<string> {
  return {
    rules: [
      (value) => (typeof value === 'string' ? undefined : 'The :attribute field must be a string.'),
      (value) =>
        sizeOf(typeof value === 'string' ? withoutTrailingDot(value) : value, false) >
        DOMAIN_NAME_MAX_CHARACTERS
          ? `The :attribute field must not be greater than ${DOMAIN_NAME_MAX_CHARACTERS} characters.`
          : undefined,
      (value) =>
        typeof value === 'string' && readDomainName(value) === undefined
          ? 'The :attribute field format is invalid.'
          : undefined,
    ],
    read: (value) => readDomainName(String(value)) ?? '',
    schema: { type: 'string', format: 'hostname', maxLength: DOMAIN_NAME_MAX_CHARACTERS },
  };
}
