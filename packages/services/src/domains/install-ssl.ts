import type { DomainView } from '@innkeeper/contract';
import {
  addToWindow,
  type Database,
  type DomainDetails,
  getDomainDetails,
  requestCertificate,
} from '@innkeeper/db';
import { type AccountState, assertChangeable, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { domainView } from './domain-view.ts';

const DAY_S = 86_400;
/** Limit of certificate requests per day. Automatic renewals by the node do not count. */
const ORDERS_OF_DOMAIN = 5;
const ORDERS_OF_ACCOUNT = 20;

/**
 * Requests a certificate, or a new one. The status is `pending` until the node reports success or failure. The active
 * certificate stays in use meanwhile. Idempotent while a request is pending, or while the active certificate is younger
 * than one day: no further certificate is requested. Throws `not_found`, `precondition_failed` for a domain that is
 * being removed and for an account that is not active (its sites would not answer the certificate authority), and
 * `quota_exceeded` for too many requests of the domain or the account within one day. All accounts share the
 * authority's limits.
 */
export async function installSsl(
  ctx: ServiceContext,
  { domain_id }: { domain_id: number },
): Promise<Written<DomainView>> {
  return await orderCertificate(ctx, { domain_id, action: 'domain.install-ssl' });
}

/** `domain.auto-ssl`: nobody asked, but the DNS of the domain leads to its server. */
export type OrderAction = 'domain.install-ssl' | 'domain.auto-ssl';

/** The same for both ways to a certificate. */
export async function orderCertificate(
  ctx: ServiceContext,
  { domain_id: id, action }: { domain_id: number; action: OrderAction },
): Promise<Written<DomainView>> {
  const asked = { action, kind: 'domain', id, requireState: assertActive } as const;
  return await changeDesired(ctx, asked, async (trx, _account, now) => {
    const domain = await getDomainDetails(trx, scopeOf(ctx.actor), id);
    if (domain.state === 'removing')
      throw new DomainError('precondition_failed', 'This domain is being removed.');
    if (domain.ssl_status === 'pending' || isFresh(domain, now))
      return { details: null, view: () => domainView(domain) };
    const wanted = {
      certificate_revision: domain.certificate_revision + 1,
      ssl_status: 'pending' as const,
    };
    await spendOrder(trx, domain);
    await requestCertificate(trx, id, wanted, now);
    return {
      details: { domain_name: domain.domain_name, ...changedFields({ ...domain }, wanted) },
      view: () => domainView({ ...domain, ...wanted, ssl_error: null, updated_at: now }),
    };
  });
}

/** Whether the active certificate was issued within one day. */
function isFresh(domain: DomainDetails, now: Date): boolean {
  const { ssl_status, ssl_issued_at, ssl_expires_at } = domain;
  if (ssl_status !== 'active' || ssl_issued_at === null || ssl_expires_at === null) return false;
  return ssl_issued_at.getTime() > now.getTime() - DAY_S * 1_000 && ssl_expires_at > now;
}

/** Counts a request of the domain and of its account. Throws `quota_exceeded`; the transaction then counts nothing. */
async function spendOrder(trx: Transaction<Database>, { id, account_id }: DomainDetails): Promise<void> {
  const budgets = [
    { bucket: `ssl-domain:${id}`, limit: ORDERS_OF_DOMAIN, whose: 'this domain' },
    { bucket: `ssl-account:${account_id}`, limit: ORDERS_OF_ACCOUNT, whose: 'this account' },
  ];
  for (const { bucket, limit, whose } of budgets) {
    const { hits, secondsLeft } = await addToWindow(trx, { bucket, windowS: DAY_S });
    if (hits > limit)
      throw new DomainError(
        'quota_exceeded',
        `Certificate limit reached: ${limit} requests for ${whose} in 24 hours. Try again in ${hours(secondsLeft)}.`,
      );
  }
}

function hours(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds / 3_600));
  return `${count} hour${count === 1 ? '' : 's'}`;
}

function assertActive(state: AccountState): void {
  assertChangeable(state);
  if (state === 'suspended')
    throw new DomainError(
      'precondition_failed',
      'This account is suspended: no certificate can be issued before it is active again.',
    );
}
