import { DOMAIN_NAME_MAX_CHARACTERS, readDomainName, withoutTrailingDot } from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { type FieldKind, optional, required } from '../fields/field.ts';
import { boolean, email, sizeOf } from '../fields/kinds.ts';
import { accountReference, ofAccountQuery } from '../record-references.ts';

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

export const listDomainsQuery = z.object(ofAccountQuery);

export const createDomainBody = z.object({
  ...accountReference,
  domain_name: required(domainName()),
  /** Default: only the first domain of an account becomes its primary domain. */
  is_primary: optional(boolean()),
  /**
   * Lets an admin add a reserved name, or a parent or subdomain of a reserved or another account’s domain. Ignored for
   * other actors.
   */
  allow_overlap: optional(boolean()),
});

/** Contact address for the certificate authority. */
export const installSslBody = z.object({ email: optional(email()) });

export type NewDomain = InputOf<typeof createDomainBody>;
