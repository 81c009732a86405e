import { z } from 'zod';
import { accountReference, ofAccountQuery } from '../account-reference.ts';
import type { InputOf } from '../endpoint.ts';
import { boolean, email, optional, required } from '../fields/index.ts';
import { domainName } from './domain-name.ts';

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
