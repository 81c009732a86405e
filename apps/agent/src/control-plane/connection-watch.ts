import { connectivityState } from '@grpc/grpc-js';
import type { NodeServiceClient } from '@innkeeper/protocol/wire';

/**
 * Keeps a channel connected when nothing is called, and tells each time that it is: the channel itself
 * waits between attempts. Returns what ends the watch; closing the channel ends it too.
 */
export function watchConnection(channel: NodeServiceClient['channel'], onReady: () => void): () => void {
  let ended = false;
  let before: connectivityState | undefined;
  const look = (): void => {
    if (ended) return;
    // True: an idle channel starts to connect.
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.SHUTDOWN) return;
    if (state === connectivityState.READY && before !== state) onReady();
    before = state;
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, (error) => {
      if (error === undefined || error === null) look();
    });
  };
  look();
  return () => {
    ended = true;
  };
}
