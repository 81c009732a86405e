import {
  type AccountRow,
  type Database,
  findDomainsOfAccount,
  getDomainDetails,
  lockAccount,
  requestCertificate,
  storeNextGeneration,
} from '@innkeeper/db';
import { assertChangeable, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { type DomainView, domainView } from './domain-view.ts';

export interface SslRequest {
  domain_id: number;
  /** Whom the authority may write to. Left out: whoever was named the last time. */
  email?: string | undefined;
}

/**
 * Asks for a certificate, or for another one: its status is `pending` until the node has it or has failed,
 * and the one that serves stays meanwhile. Again while it is pending: the same answer, and no further
 * certificate. Throws `not_found`, and `precondition_failed` for a domain that is being removed and for an
 * account that is not active: its sites would not answer the authority.
 */
export async function installSsl(ctx: ServiceContext, input: SslRequest): Promise<Written<DomainView>> {
  const { written, changed } = await writeOnce(ctx, (trx) => install(trx, ctx, input));
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

async function install(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  { domain_id, email }: SslRequest,
): Promise<{ written: Written<DomainView>; changed: boolean }> {
  const scope = scopeOf(ctx.actor);
  const { account_id } = await getDomainDetails(trx, scope, domain_id);
  const account = await lockAccount(trx, scope, account_id);
  requireActive(account);
  const domain = (await findDomainsOfAccount(trx, account.id)).find(({ id }) => id === domain_id);
  if (domain === undefined) throw new DomainError('not_found', `There is no domain ${domain_id}.`);
  if (domain.state === 'removing')
    throw new DomainError('precondition_failed', 'This domain is being removed.');

  const isPending = domain.ssl_status === 'pending';
  const wanted = {
    certificate_revision: domain.certificate_revision + (isPending ? 0 : 1),
    certificate_email: email ?? domain.certificate_email,
  };
  const changed = !isPending || wanted.certificate_email !== domain.certificate_email;
  let { generation } = account;
  if (changed) {
    const now = ctx.now();
    await requestCertificate(trx, domain_id, wanted, now);
    generation = await storeNextGeneration(trx, account, {}, now);
    await audit(trx, ctx, {
      action: 'domain.install-ssl',
      target: `domain:${domain_id}`,
      account_id: account.id,
      details: {
        domain_name: domain.domain_name,
        generation,
        ...changedFields(domain, { ssl_status: 'pending', ...wanted }),
      },
    });
  }
  const view = domainView(await getDomainDetails(trx, scope, domain_id));
  return { written: { view, nodeId: account.node_id, accountId: account.id, generation }, changed };
}

function requireActive(account: AccountRow): void {
  assertChangeable(account.state);
  if (account.state === 'suspended')
    throw new DomainError(
      'precondition_failed',
      'This account is suspended: no certificate can be issued before it is active again.',
    );
}
