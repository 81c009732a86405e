import { setTimeout as sleep } from 'node:timers/promises';
import type { AppView, OperatorContext } from '@innkeeper/services';

const LOOK_EVERY_MS = 500;

/** The last report of an app's node, and whether it is final for the wanted release. */
export interface AppObservation {
  status: string;
  last_error: string | null;
  is_serving: boolean;
  /** False: the node is still working, or has not received the change. */
  is_settled: boolean;
}

/** Waits until an app serves its wanted release, its node reports a failure, or the timeout ends. */
export async function waitForRelease(
  ctx: Pick<OperatorContext, 'db'>,
  app: AppView,
  { generation, timeoutMs }: { generation: number; timeoutMs: number },
): Promise<AppObservation> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const observation = await observe(ctx, app, generation);
    if (observation.is_settled || Date.now() >= until) return observation;
    await sleep(LOOK_EVERY_MS);
  }
}

async function observe(
  { db }: Pick<OperatorContext, 'db'>,
  { id, release }: AppView,
  generation: number,
): Promise<AppObservation> {
  const row = await db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .select(['apps.status', 'apps.status_reason', 'apps.served_release_id', 'accounts.observed_generation'])
    .where('apps.id', '=', id)
    .executeTakeFirstOrThrow();
  const is_observed = row.observed_generation >= generation;
  const is_serving =
    is_observed && row.status === 'running' && row.served_release_id === (release?.id ?? null);
  return {
    status: row.status,
    last_error: row.status_reason,
    is_serving,
    is_settled: is_serving || (is_observed && row.status === 'failed'),
  };
}
