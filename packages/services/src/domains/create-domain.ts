import {
  type AccountRow,
  type Database,
  findDomainsOfAccount,
  getDomainDetails,
  insertDomain,
  isDomainNameTaken,
  isNameInAnothersTree,
  lockAccount,
  lockDomainTree,
  setPrimaryDomain,
  storeNextGeneration,
} from '@innkeeper/db';
import {
  assertChangeable,
  DOMAINS_PER_ACCOUNT,
  DomainError,
  findRegistrableName,
  invalidField,
  namesAbove,
  recordSentences,
  reversedName,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { type DomainView, domainView } from './domain-view.ts';

export interface NewDomain {
  hosting_account_id: number;
  /** As `readDomainName` gives it. */
  domain_name: string;
  /** Left out: only the first domain of an account becomes its primary one. */
  is_primary?: boolean | undefined;
  /** Only an admin may add a name below or above another account's; from others it is not heard. */
  allow_overlap?: boolean | undefined;
}

/**
 * Adds a domain to an account. Throws `not_found`, `precondition_failed` while the account is being
 * terminated, `invalid` for a public suffix, a name in use and one in another account's tree, and
 * `quota_exceeded`.
 */
export async function createDomain(ctx: ServiceContext, input: NewDomain): Promise<Written<DomainView>> {
  const written = await writeOnce(ctx, (trx) => create(trx, ctx, input));
  ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

async function create(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  input: NewDomain,
): Promise<Written<DomainView>> {
  const scope = scopeOf(ctx.actor);
  const account = await lockAccount(trx, scope, input.hosting_account_id);
  assertChangeable(account.state);
  const mayOverlap = ctx.actor.role === 'admin' && input.allow_overlap === true;
  await requireFreeName(trx, account.id, input.domain_name, mayOverlap);
  const existing = await requireRoom(trx, account);

  const now = ctx.now();
  const primary = input.is_primary ?? existing === 0;
  if (primary) await setPrimaryDomain(trx, account.id, null, now);
  const domainId = await insertDomain(trx, {
    account_id: account.id,
    domain_name: input.domain_name,
    reversed_name: reversedName(input.domain_name),
    is_primary: primary,
    state: 'active',
    status: 'pending',
    status_reason: null,
    created_at: now,
    updated_at: now,
  });
  const generation = await storeNextGeneration(trx, account, {}, now);
  await audit(trx, ctx, {
    action: 'domain.create',
    target: `domain:${domainId}`,
    account_id: account.id,
    details: { generation, after: { domain_name: input.domain_name, is_primary: primary } },
  });
  const view = domainView(await getDomainDetails(trx, scope, domainId));
  return { view, nodeId: account.node_id, accountId: account.id, generation };
}

/**
 * Locks the tree that the name stands in, then looks: of two accounts that take a name and one above it at
 * the same time, the second sees what the first has done.
 */
async function requireFreeName(
  trx: Transaction<Database>,
  accountId: number,
  name: string,
  mayOverlap: boolean,
): Promise<void> {
  const registrable = findRegistrableName(name);
  if (registrable === undefined)
    throw invalidField('domain_name', 'The domain name field must not be a public suffix.');
  await lockDomainTree(trx, registrable);
  if (await isDomainNameTaken(trx, name))
    throw invalidField('domain_name', recordSentences.taken('domain_name'));
  if (mayOverlap) return;
  const tree = { above: namesAbove(name), reversed: reversedName(name), accountId };
  if (await isNameInAnothersTree(trx, tree))
    throw invalidField('domain_name', 'The domain name is below or above a domain of another account.');
}

/**
 * The number of domains that the account has. Those that are being removed count no more, but a node takes
 * only so many names in all.
 */
async function requireRoom(trx: Transaction<Database>, account: AccountRow): Promise<number> {
  const domains = await findDomainsOfAccount(trx, account.id);
  const existing = domains.filter((domain) => domain.state === 'active').length;
  if (existing >= account.max_domains || domains.length >= DOMAINS_PER_ACCOUNT)
    throw new DomainError(
      'quota_exceeded',
      `Domain limit reached (${Math.min(account.max_domains, DOMAINS_PER_ACCOUNT)}).`,
    );
  return existing;
}
