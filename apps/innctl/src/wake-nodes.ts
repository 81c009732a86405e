import { subjects, type WakeMessage } from '@innkeeper/protocol';
import type { WakeNode } from '@innkeeper/services';
import type { InnctlConfig } from './config.ts';
import { type Nats, withNats } from './with-nats.ts';

/** Does what needs NATS; rejects where there is none. */
type UseNats = (work: (nats: Pick<Nats, 'publish'>) => Promise<void>) => Promise<void>;

export interface Wakes {
  wakeNode: WakeNode;
  /** Resolves once what was woken is sent, or cannot be. Never rejects. */
  sent(): Promise<void>;
}

/** Wakes nodes while a command does its work; wakes that come while NATS is connected to share the connection. */
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
      // A wake that is lost costs one interval of the node's polls.
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
