import { z } from 'zod';
import { accountReference } from '../account-reference.ts';
import { boolean, integer, optional, required } from '../fields/index.ts';
import { pageQuery } from '../pagination.ts';
import { domainName } from './domain-name.ts';

export const listDomainsQuery = z.object({ hosting_account_id: optional(integer()), ...pageQuery });

export const createDomainBody = z.object({
  ...accountReference,
  domain_name: required(domainName()),
  is_primary: optional(boolean()),
  allow_overlap: optional(boolean()),
});
