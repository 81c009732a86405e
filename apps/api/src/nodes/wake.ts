import { subjects, type WakeMessage } from '@innkeeper/protocol';
import type { WakeNode } from '@innkeeper/services';
import type { Metrics } from '../http/server/metrics.ts';
import type { Queue } from './nats-connection.ts';

/** Wakes nodes over NATS without waiting for an answer. */
export function createWakeNode(queue: Pick<Queue, 'publish'>, metrics: Pick<Metrics, 'wakes'>): WakeNode {
  return (nodeId, accountId, generation) => {
    const message: WakeMessage = { account_id: accountId, generation };
    const sent = queue.publish(subjects.nodeWake(nodeId), message);
    metrics.wakes.inc({ result: sent ? 'sent' : 'lost' });
  };
}
