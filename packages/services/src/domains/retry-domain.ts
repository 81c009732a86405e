import { retryAccount } from '../accounts/retry-account.ts';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { getDomain } from './get-domain.ts';
import { installSsl } from './install-ssl.ts';

/**
 * Tries a site again now. A failed or expired certificate is requested again, within the limits of `installSsl`. Without
 * one the node tries everything of the account again. Both are a new generation. Throws what the two verbs throw.
 */
export async function retryDomain(
  ctx: ServiceContext,
  { domain_id }: { domain_id: number },
): Promise<Written<unknown>> {
  const { hosting_account_id: account_id, ssl } = await getDomain(ctx, { domain_id });
  const isInsecure = ssl.status === 'failed' || (ssl.expires_at !== null && ssl.expires_at < ctx.now());
  return isInsecure ? await installSsl(ctx, { domain_id }) : await retryAccount(ctx, { account_id });
}
