import type { NodeServiceClient, StreamOptions } from './client.ts';
import { uint64ToWire } from './integers.ts';

export interface WantedArchive {
  session_id: string;
  account_id: number;
  release_id: number;
}

/**
 * Streams the archive of a release in order, as fast as the caller reads it. The caller compares size and hash with the
 * release's own before it unpacks anything. Throws like `NodeServiceClient.stream`: NOT_FOUND for a release that is no
 * longer wanted, FAILED_PRECONDITION for a session that has ended.
 */
export async function* fetchArchive(
  client: Pick<NodeServiceClient, 'stream'>,
  { session_id, account_id, release_id }: WantedArchive,
  options: StreamOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const request = {
    session_id,
    account_id: uint64ToWire(account_id, 'account_id'),
    release_id: uint64ToWire(release_id, 'release_id'),
  };
  for await (const { data } of client.stream('FetchArchive', request, options)) yield data;
}
