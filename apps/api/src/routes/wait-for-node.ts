import type { Written } from '@innkeeper/services';
import type { Deps } from '../deps.ts';
import type { Observed } from '../nodes/wait-for-observed.ts';

/** Waits until the node has applied a write, has failed, or the timeout ends. */
export async function waitForNode(
  { waitForObserved, applyTimeoutMs }: Pick<Deps, 'waitForObserved' | 'applyTimeoutMs'>,
  { accountId, generation }: Written<unknown>,
): Promise<Observed> {
  return await waitForObserved({ accountId, generation, timeoutMs: applyTimeoutMs });
}

/**
 * The body for a changed record whose only fact from the node is `synced`. It is false if the node is late or cannot
 * apply the change: the change is committed, and internal details of a node are for operators only.
 */
export async function answerSynced<View extends { readonly synced: boolean }>(
  deps: Pick<Deps, 'waitForObserved' | 'applyTimeoutMs'>,
  written: Written<View>,
): Promise<{ data: View }> {
  const { view } = written;
  if (view.synced) return { data: view };
  const { outcome } = await waitForNode(deps, written);
  return { data: { ...view, synced: outcome === 'applied' } };
}
