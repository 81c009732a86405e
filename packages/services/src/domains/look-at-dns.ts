import {
  claimDueLooks,
  type DueLook,
  findLastLook,
  findLooks,
  type LookResult,
  storeLook,
} from '@innkeeper/db';
import { canonicalAddress, DomainError, requireMay } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { getDomain } from './get-domain.ts';
import { type OrderAction, orderCertificate } from './install-ssl.ts';

const FIRST_PAUSE_S = 60;
const LONGEST_PAUSE_S = 6 * 3_600;
/** After this time another instance looks, if the one that took a domain has ended. */
const LEASE_S = 5 * 60;
const MAX_CHARACTERS = 255;

/**
 * Looks at the DNS of up to `limit` domains that have had no certificate and are due, and requests a certificate for
 * each whose name leads to its server. Several instances do not look at the same domain. Returns how many it looked at.
 */
export async function lookAtDns(ctx: ServiceContext, { limit }: { limit: number }): Promise<number> {
  const due = await claimDueLooks(ctx.db, { limit, leaseS: LEASE_S });
  const looks = await Promise.allSettled(due.map((domain) => look(ctx, domain, 'domain.auto-ssl')));
  for (const done of looks) if (done.status === 'rejected') throw done.reason;
  return due.length;
}

/** What the panel knows of a domain's DNS. */
export interface DnsState {
  /** Null: there was no look yet. */
  looked_at: Date | null;
  /** Null: there is no further look, because a certificate was requested. */
  next_look_at: Date | null;
  /** The name's addresses at the last look. Null: DNS did not answer. */
  found: readonly string[] | null;
  /** Why the last look led to no certificate, unless the name leads elsewhere. */
  error: string | null;
}

/** Throws `not_found`. */
export async function getDnsState(
  ctx: ServiceContext,
  { domain_id }: { domain_id: number },
): Promise<DnsState> {
  await getDomain(ctx, { domain_id });
  const row = await findLastLook(ctx.db, domain_id);
  if (row === undefined) throw new DomainError('not_found', `There is no domain ${domain_id}.`);
  const found = row.dns_found?.split(',').filter((address) => address !== '') ?? null;
  return { looked_at: row.dns_looked_at, next_look_at: row.dns_next_look_at, found, error: row.dns_error };
}

/** Looks at one domain now, and again a minute later. Throws `not_found`. */
export async function checkDns(ctx: ServiceContext, { domain_id }: { domain_id: number }): Promise<DnsState> {
  requireMay(ctx.actor.role, 'domain.install-ssl');
  await getDomain(ctx, { domain_id });
  for (const domain of await findLooks(ctx.db, [domain_id]))
    await look(ctx, { ...domain, dns_looks: 0 }, 'domain.install-ssl');
  return await getDnsState(ctx, { domain_id });
}

async function look(ctx: ServiceContext, domain: DueLook, action: OrderAction): Promise<void> {
  const result = await resultOf(ctx, domain, action);
  await storeLook(ctx.db, domain.id, { ...result, looks: domain.dns_looks + 1 });
}

async function resultOf(
  ctx: ServiceContext,
  domain: DueLook,
  action: OrderAction,
): Promise<Omit<LookResult, 'looks'>> {
  if (domain.certificate_revision > 0 || domain.state === 'removing')
    return { found: null, error: null, pauseS: null };
  const pauseS = pauseOf(domain.dns_looks);
  if (domain.account_state !== 'active') return { found: null, error: null, pauseS };
  const [found, own] = await Promise.all([
    ctx.names.resolveAddresses(domain.domain_name),
    addressesOf(ctx, domain.node_address),
  ]);
  if (found === undefined || own === undefined)
    return { found: null, error: 'No DNS server answered.', pauseS };
  const listed = found.join(',').slice(0, MAX_CHARACTERS);
  if (!found.some((address) => own.includes(address))) return { found: listed, error: null, pauseS };
  try {
    await orderCertificate(ctx, { domain_id: domain.id, action });
    return { found: listed, error: null, pauseS: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { found: listed, error: error.message.slice(0, MAX_CHARACTERS), pauseS };
  }
}

/** The addresses that a domain of the server should have. */
async function addressesOf(
  { names }: ServiceContext,
  address: string,
): Promise<readonly string[] | undefined> {
  const canonical = canonicalAddress(address);
  return canonical === undefined ? await names.resolveAddresses(address) : [canonical];
}

/** Doubles from 1 minute to 6 hours. */
export function pauseOf(looks: number): number {
  return Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** Math.min(looks, 20));
}
