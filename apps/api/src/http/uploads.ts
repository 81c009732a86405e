import type { UploadedArchive } from '@innkeeper/services';
import type { UploadConfig } from '../config.ts';
import { HttpError } from './error-response.ts';
import { type IncomingForm, receiveFile } from './receive-file.ts';

/** A file that has arrived. Its room is free when it is disposed of. */
interface ReceivedFile extends UploadedArchive, AsyncDisposable {}

export interface Uploads {
  /** How long a form may take to arrive, ms. */
  timeoutMs: number;
  /** Of a file. */
  maxBytes: number;
  /**
   * Takes the one file under `field`. Throws DomainError `invalid` for a form without it, and for one that
   * does not arrive as a whole; HttpError 413 for a file that is too large, 503 where there is no room.
   */
  receive(form: IncomingForm, field: string): Promise<ReceivedFile>;
}

/** Takes a few files at a time, so that their room on disk is bounded. */
export function createUploads({ dir, maxBytes, timeoutMs, atOnce }: UploadConfig): Uploads {
  let underWay = 0;
  return {
    timeoutMs,
    maxBytes,
    receive: async (form, field) => {
      if (underWay >= atOnce)
        throw new HttpError(503, 'Too many uploads are under way. Try again later.', { 'Retry-After': '10' });
      underWay += 1;
      try {
        const { file, bytes, sha256 } = await receiveFile(form, field, { dir, maxBytes, timeoutMs });
        return {
          bytes,
          sha256,
          read: (into, position) => file.read(into, position),
          [Symbol.asyncDispose]: async () => {
            underWay -= 1;
            await file.close();
          },
        };
      } catch (error) {
        underWay -= 1;
        throw error;
      }
    },
  };
}
