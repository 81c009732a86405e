import { subjects, type WakeMessage } from '@innkeeper/protocol';
import type { WakeNode } from '@innkeeper/services';
import type { InnctlConfig } from './config.ts';
import { type Nats, withNats } from './with-nats.ts';

/** Runs work that needs NATS. Rejects if NATS is unreachable. */
type UseNats = (work: (nats: Pick<Nats, 'publish'>) => Promise<void>) => Promise<void>;

export interface Wakes {
  wakeNode: WakeNode;
  /** Resolves when all wakes are sent or have failed. Never rejects. */
  sent(): Promise<void>;
}

/** Sends wakes while a command works. Wakes that arrive during a connection attempt share the connection. */
export function createWakes(useNats: UseNats): Wakes {
  let waiting: [nodeId: number, message: WakeMessage][] = [];
  let sending: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    try {
      while (waiting.length > 0)
        await useNats(async (nats) => {
          for (const [nodeId, message] of waiting) nats.publish(subjects.nodeWake(nodeId), message);
          waiting = [];
        });
    } catch {
      // A lost wake costs one poll interval of the node.
      waiting = [];
    } finally {
      sending = undefined;
    }
  };
  return {
    wakeNode: (nodeId, accountId, generation) => {
      waiting.push([nodeId, { account_id: accountId, generation }]);
      sending ??= send();
    },
    sent: async () => await sending,
  };
}

export function wakesOver(config: InnctlConfig): Wakes {
  return createWakes((work) => withNats(config, work));
}
