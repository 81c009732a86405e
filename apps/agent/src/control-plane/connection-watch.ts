import { connectivityState } from '@grpc/grpc-js';
import type { NodeServiceClient } from '@innkeeper/protocol/wire';

/**
 * Keeps a channel connected while no calls are made, and calls `onReady` each time it is connected. The channel itself
 * waits between attempts. Returns a function that stops the watch; closing the channel stops it too.
 */
export function watchConnection(channel: NodeServiceClient['channel'], onReady: () => void): () => void {
  let ended = false;
  let before: connectivityState | undefined;
  const poll = (): void => {
    if (ended) return;
    // `true`: an idle channel starts to connect.
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.SHUTDOWN) return;
    if (state === connectivityState.READY && before !== state) onReady();
    before = state;
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, (error) => {
      if (error === undefined || error === null) poll();
    });
  };
  poll();
  return () => {
    ended = true;
  };
}
