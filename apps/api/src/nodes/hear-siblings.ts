import { subjects } from '@innkeeper/protocol';
import { z } from 'zod';
import type { TokenCache } from '../http/request/token-cache.ts';
import type { Queue } from './nats-connection.ts';
import type { ObservedWaits } from './wait-for-observed.ts';

const tokenRevoked = z.object({ token_id: z.int() });
const accountObserved = z.object({ account_id: z.int(), observed_generation: z.int(), outcome: z.string() });

/** Subscribes to the messages of other instances and innctl: revoked tokens and stored reports. */
export function hearSiblings(
  queue: Pick<Queue, 'subscribe'>,
  { tokens, waits }: { tokens: Pick<TokenCache, 'forget'>; waits: Pick<ObservedWaits, 'hear'> },
): void {
  queue.subscribe(subjects.tokenRevoked, (message) => tokens.forget(tokenRevoked.parse(message).token_id));
  queue.subscribe(subjects.anyAccountObserved, (message) => waits.hear(accountObserved.parse(message)));
}
