import type { Channel, NodeServiceClient } from '@innkeeper/protocol/wire';

type Open = NodeServiceClient['openChannel'];

/**
 * Connections for channels, apart from the agent's own calls. Each is opened by its first channel and closed with its
 * last, so a server without channels has none.
 */
export class ChannelLines {
  readonly #lines = new Map<string, { client: NodeServiceClient; channels: number }>();

  /** Returns how to open a channel over the connection of this name. `connect` makes it if it is missing. */
  open(name: string, connect: () => NodeServiceClient): Open {
    return (opening, deadlineMs) => {
      const line = this.#lines.get(name) ?? { client: connect(), channels: 0 };
      this.#lines.set(name, line);
      line.channels += 1;
      const channel: Channel = line.client.openChannel(opening, deadlineMs);
      channel.once('close', () => {
        line.channels -= 1;
        if (line.channels > 0) return;
        line.client.close();
        if (this.#lines.get(name) === line) this.#lines.delete(name);
      });
      return channel;
    };
  }

  close(): void {
    for (const { client } of this.#lines.values()) client.close();
    this.#lines.clear();
  }
}
