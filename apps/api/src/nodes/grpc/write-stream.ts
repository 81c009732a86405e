import { once } from 'node:events';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { DomainError } from '@innkeeper/domain';

/**
 * Writes chunks to a call as fast as the other end reads them; the next chunk is not created before. Throws the errors
 * of the source, and DomainError `unavailable` if the other end is gone or `signal` is aborted.
 */
export async function writeStream<Chunk>(
  call: Pick<ServerWritableStream<unknown, Chunk>, 'write' | 'cancelled' | 'on' | 'off' | 'once'>,
  chunks: AsyncIterable<Chunk>,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  call.on('cancelled', end);
  const over = AbortSignal.any([ended.signal, signal]);
  try {
    for await (const chunk of chunks) {
      if (over.aborted || call.cancelled) throw gone();
      if (call.write(chunk)) continue;
      await once(call as never, 'drain', { signal: over }).catch(() => {
        throw gone();
      });
    }
  } finally {
    call.off('cancelled', end);
  }
}

function gone(): DomainError {
  return new DomainError('unavailable', 'The call ended before all was read.');
}
