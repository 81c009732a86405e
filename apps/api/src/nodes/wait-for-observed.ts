/**
 * A write answers once its node has applied it. The outcome arrives in three ways: a report that this instance stored
 * itself, a message of another instance over NATS, and a poll of the database every 500 ms. A message is only a hint to
 * poll at once; the database is the truth. So if NATS is down or a message is lost, an answer comes later, but it is
 * never a different one. All waits at the same time share one poll. A report that this instance has just committed
 * needs no poll.
 */
import type { ObservedMessage } from '@innkeeper/protocol';
import type { Logger } from 'pino';
import type { ObservedAccount } from './find-observed.ts';

/** The result of a wait. `failed`: the node will not apply this generation. */
export interface Observed {
  outcome: 'applied' | 'absent' | 'failed' | 'timeout';
}

export type WaitForObserved = (awaited: {
  accountId: number;
  generation: number;
  timeoutMs: number;
}) => Promise<Observed>;

export interface ObservedWaits {
  /** Ends with `timeout` if nothing was observed in time. Never rejects. */
  waitForObserved: WaitForObserved;
  /** Call this with every report that another instance stored. */
  hear: (message: ObservedMessage) => void;
  /** Call this after the commit with every report that this instance stored. */
  stored: (message: ObservedMessage) => void;
  /** Ends all waits with `timeout`, and later waits at once. */
  stop: () => void;
}

interface Waiter {
  accountId: number;
  generation: number;
  end: (observed: Observed) => void;
}

const POLL_MS = 500;

export function createObservedWaits(options: {
  findObserved: (accountIds: readonly number[]) => Promise<readonly ObservedAccount[]>;
  logger: Pick<Logger, 'warn'>;
  onEnd?: (observed: Observed, seconds: number) => void;
}): ObservedWaits {
  const { findObserved, logger, onEnd } = options;
  const waiters = new Set<Waiter>();
  let stopped = false;
  let looking = false;

  const look = async (looked: readonly Waiter[]): Promise<void> => {
    try {
      const accounts = await findObserved([...new Set(looked.map(({ accountId }) => accountId))]);
      const byId = new Map(accounts.map((account) => [account.id, account]));
      for (const waiter of looked) {
        const observed = outcomeFor(waiter, byId.get(waiter.accountId));
        if (observed !== undefined) waiter.end(observed);
      }
    } catch (error) {
      logger.warn({ err: error }, 'the query for observed accounts failed');
    }
  };

  const poll = async (): Promise<void> => {
    if (looking || waiters.size === 0) return;
    looking = true;
    await look([...waiters]);
    looking = false;
  };

  const concerned = ({ account_id, observed_generation }: ObservedMessage): Waiter[] =>
    [...waiters].filter(
      ({ accountId, generation }) => accountId === account_id && observed_generation >= generation,
    );

  const hear = (message: ObservedMessage): void => {
    const waiting = message.outcome === 'progressing' ? [] : concerned(message);
    if (waiting.length > 0) void look(waiting);
  };

  return {
    waitForObserved: ({ accountId, generation, timeoutMs }) =>
      new Promise((resolve) => {
        if (stopped) return resolve({ outcome: 'timeout' });
        const startedAt = performance.now();
        const timer = setTimeout(() => waiter.end({ outcome: 'timeout' }), timeoutMs);
        const polling = setInterval(poll, POLL_MS);
        const waiter: Waiter = {
          accountId,
          generation,
          end: (observed) => {
            if (!waiters.delete(waiter)) return;
            clearTimeout(timer);
            clearInterval(polling);
            onEnd?.(observed, (performance.now() - startedAt) / 1000);
            resolve(observed);
          },
        };
        waiters.add(waiter);
      }),
    hear,
    stored: (message) => {
      // The row of a refused account may be gone, so only a query shows the outcome.
      if (message.outcome !== 'applied') return hear(message);
      for (const waiter of concerned(message)) waiter.end({ outcome: 'applied' });
    },
    stop: () => {
      stopped = true;
      for (const waiter of waiters) waiter.end({ outcome: 'timeout' });
    },
  };
}

/** Returns undefined while there is no outcome. If the row is gone, the account is gone. */
function outcomeFor(waiter: Waiter, account: ObservedAccount | undefined): Observed | undefined {
  if (account === undefined) return { outcome: 'absent' };
  if (account.observedGeneration < waiter.generation) return undefined;
  switch (account.outcome) {
    case 'applied':
    case 'absent':
    case 'failed':
      return { outcome: account.outcome };
    default:
      return undefined;
  }
}
