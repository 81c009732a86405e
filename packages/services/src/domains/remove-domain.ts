import {
  type Database,
  detachAppFromDomain,
  findDomainsOfAccount,
  getDomainDetails,
  lockAccount,
  markDomainRemoving,
  setPrimaryDomain,
  storeNextGeneration,
} from '@innkeeper/db';
import { assertChangeable, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';

type Removal = Written<Record<string, never>>;

/**
 * Starts the removal of a domain: it stays, as a tombstone, until its node reports it gone, and its name is
 * free only then. The oldest of the others becomes primary in its place. Again while it goes: the same
 * answer. The app whose site it was goes on without it. Throws `not_found`, and `precondition_failed` while the account is being terminated.
 */
export async function removeDomain(
  ctx: ServiceContext,
  { domain_id }: { domain_id: number },
): Promise<Removal> {
  const { written, changed } = await writeOnce(ctx, (trx) => remove(trx, ctx, domain_id));
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

async function remove(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  domainId: number,
): Promise<{ written: Removal; changed: boolean }> {
  const scope = scopeOf(ctx.actor);
  const { account_id } = await getDomainDetails(trx, scope, domainId);
  const account = await lockAccount(trx, scope, account_id);
  assertChangeable(account.state);
  const domains = await findDomainsOfAccount(trx, account.id);
  const domain = domains.find(({ id }) => id === domainId);
  if (domain === undefined) throw new DomainError('not_found', `There is no domain ${domainId}.`);
  const written = {
    view: {},
    nodeId: account.node_id,
    accountId: account.id,
    generation: account.generation,
  };
  if (domain.state === 'removing') return { written, changed: false };

  const now = ctx.now();
  if (domain.is_primary === 1) {
    const heir = domains.find(({ id, state }) => id !== domainId && state === 'active');
    await setPrimaryDomain(trx, account.id, heir?.id ?? null, now);
  }
  await detachAppFromDomain(trx, account.id, domainId, now);
  await markDomainRemoving(trx, domainId, now);
  const generation = await storeNextGeneration(trx, account, {}, now);
  await audit(trx, ctx, {
    action: 'domain.delete',
    target: `domain:${domainId}`,
    account_id: account.id,
    details: {
      generation,
      before: {
        domain_name: domain.domain_name,
        is_primary: domain.is_primary === 1,
        status: domain.status,
      },
    },
  });
  return { written: { ...written, generation }, changed: true };
}
