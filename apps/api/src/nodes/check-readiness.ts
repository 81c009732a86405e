import type { endpoints, ViewOf } from '@innkeeper/contract';
import type { Queue } from './nats-connection.ts';

type Readiness = ViewOf<(typeof endpoints)['ready']['response']>;
export type CheckReadiness = () => Promise<Readiness>;

/** Checks all dependencies of the control plane. `countNodes` queries the database. */
export function createCheckReadiness(
  queue: Pick<Queue, 'isConnected'>,
  countNodes: () => Promise<{ total: number; online: number }>,
): CheckReadiness {
  return async () => {
    const nodes = await countNodes().catch(() => undefined);
    const database = nodes === undefined ? 'failed' : 'ok';
    const connected = queue.isConnected() ? 'ok' : 'failed';
    return {
      status: database === 'ok' && connected === 'ok' ? 'ok' : 'unavailable',
      checks: { database, queue: connected, nodes: nodes ?? { total: 0, online: 0 } },
    };
  };
}
