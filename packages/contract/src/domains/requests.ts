import { z } from 'zod';
import { accountReference, ofAccountQuery } from '../account-reference.ts';
import { boolean, email, optional, required } from '../fields/index.ts';
import { domainName } from './domain-name.ts';

export const listDomainsQuery = z.object(ofAccountQuery);

export const createDomainBody = z.object({
  ...accountReference,
  domain_name: required(domainName()),
  is_primary: optional(boolean()),
  allow_overlap: optional(boolean()),
});

/** Contact address for the certificate authority. */
export const installSslBody = z.object({ email: optional(email()) });
