import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@innkeeper/domain';
import type { Channel, ChannelOpening } from '@innkeeper/protocol/wire';
import { type AskNode, channelRefusals, type OpenNodeChannel } from '@innkeeper/services';
import type { Metrics } from '../http/server/metrics.ts';

/** How long a node has to open a channel, its answer to the question included. */
const OPEN_TIMEOUT_MS = 10_000;

export interface Channels {
  /** See `OpenNodeChannel`. */
  open: OpenNodeChannel;
  /**
   * Returns the function that takes the channel of this opening. Throws DomainError `not_found` for a channel that this
   * process does not wait for, or with another secret or from another node. An opening is valid once.
   */
  claim(nodeId: number, opening: Pick<ChannelOpening, 'channel_id' | 'secret'>): (channel: Channel) => void;
  /** Ends all channels, and opens no more. */
  stop(): void;
}

interface Awaited {
  nodeId: number;
  secretHash: Buffer;
  take: (channel: Channel) => void;
}

/**
 * The live channels of this process. It asks a node over NATS, and the node calls back: a hosting server opens no port.
 * Nothing is stored. A channel ends with this process, and with the program at its other end.
 */
export function createChannels({
  askNode,
  ownAddress,
  metrics,
}: {
  askNode: AskNode;
  /** `host:port` of this process for agents. Null: every agent's usual address leads to this process. */
  ownAddress: string | null;
  metrics: Pick<Metrics, 'channels' | 'channelsOpen'>;
}): Channels {
  const awaited = new Map<string, Awaited>();
  const open = new Set<Channel>();
  let isStopped = false;

  function hold(channel: Channel, kind: string): void {
    open.add(channel);
    metrics.channelsOpen.inc({ kind });
    // The end of the stream tells the reader what happened; without a listener Node.js would end the process.
    channel.on('error', () => {});
    channel.once('close', () => {
      open.delete(channel);
      metrics.channelsOpen.dec({ kind });
    });
  }

  const openChannel: OpenNodeChannel = async (nodeId, { account_id, program }) => {
    if (isStopped) throw channelRefusals.stopping();
    const channel_id = randomBytes(16).toString('hex');
    const secret = randomBytes(32).toString('base64url');
    const { promise, resolve, reject } = Promise.withResolvers<Channel>();
    const timer = setTimeout(() => reject(channelRefusals.late()), OPEN_TIMEOUT_MS);
    awaited.set(channel_id, { nodeId, secretHash: hashOf(secret), take: resolve });
    const { kind } = program;
    try {
      const question = { channel_id, secret, control: ownAddress, account_id, program };
      const asked = askNode(nodeId, 'open-channel', question).then((answer) => {
        if (answer === undefined) throw channelRefusals.silent();
        if (answer.refused !== null) throw channelRefusals[answer.refused]();
      });
      asked.catch(reject);
      const channel = await promise;
      hold(channel, kind);
      metrics.channels.inc({ kind, result: 'opened' });
      return channel;
    } catch (error) {
      metrics.channels.inc({ kind, result: 'failed' });
      throw error;
    } finally {
      clearTimeout(timer);
      awaited.delete(channel_id);
    }
  };

  return {
    open: openChannel,
    claim: (nodeId, { channel_id, secret }) => {
      const wanted = awaited.get(channel_id);
      const isOwn =
        wanted !== undefined &&
        wanted.nodeId === nodeId &&
        timingSafeEqual(wanted.secretHash, hashOf(secret));
      if (!isOwn) throw new DomainError('not_found', 'Nobody waits for this channel.');
      awaited.delete(channel_id);
      return wanted.take;
    },
    stop: () => {
      isStopped = true;
      for (const channel of open) channel.destroy();
    },
  };
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
