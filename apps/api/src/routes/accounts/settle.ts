import type { Written } from '@innkeeper/services';
import type { Deps } from '../../deps.ts';
import type { Observed } from '../../nodes/wait-for-observed.ts';

/** Waits until the node has applied a write, has failed, or the timeout ends. */
export async function settle(
  { waitForObserved, applyTimeoutMs }: Pick<Deps, 'waitForObserved' | 'applyTimeoutMs'>,
  { accountId, generation }: Written<unknown>,
): Promise<Observed> {
  return await waitForObserved({ accountId, generation, timeoutMs: applyTimeoutMs });
}
