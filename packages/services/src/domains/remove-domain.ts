import {
  detachAliases,
  detachAppFromDomain,
  findDomainsOfAccount,
  markDomainRemoving,
  setPrimaryDomain,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';

/**
 * Starts the removal of a domain. It stays as a tombstone until its node reports it gone. Its name is free only after
 * that. If it was the primary domain, the oldest other domain becomes primary. An app with this domain continues
 * without a domain, and its aliases get sites of their own. Idempotent while the removal is in progress. Throws `not_found`, and `precondition_failed` while
 * the account is being terminated.
 */
export async function removeDomain(
  ctx: ServiceContext,
  { domain_id: id }: { domain_id: number },
): Promise<Written<Record<string, never>>> {
  const asked = { action: 'domain.delete', kind: 'domain', id } as const;
  return await changeDesired(ctx, asked, async (trx, account, now) => {
    const domains = await findDomainsOfAccount(trx, account.id);
    const domain = domains.find((one) => one.id === id);
    if (domain === undefined) throw new DomainError('not_found', `There is no domain ${id}.`);
    if (domain.state === 'removing') return { details: null, view: () => ({}) };
    const is_primary = domain.is_primary === 1;
    if (is_primary) {
      const others = domains.filter((other) => other.id !== id && other.state === 'active');
      const heir = others.find(({ alias_of }) => alias_of === null) ?? others[0];
      await setPrimaryDomain(trx, account.id, heir?.id ?? null, now);
    }
    await detachAppFromDomain(trx, account.id, id, now);
    await detachAliases(trx, account.id, id, now);
    await markDomainRemoving(trx, id, now);
    const { domain_name, status } = domain;
    return { details: { before: { domain_name, is_primary, status } }, view: () => ({}) };
  });
}
