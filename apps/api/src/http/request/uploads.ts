import type { UploadedArchive } from '@innkeeper/services';
import type { UploadConfig } from '../../config.ts';
import { HttpError } from '../error-response.ts';
import { type IncomingForm, receiveFile } from './receive-file.ts';

/** A received file. Disposing of it frees its disk space. */
interface ReceivedFile extends UploadedArchive, AsyncDisposable {}

export interface Uploads {
  /** How long a form may take to arrive, ms. */
  timeoutMs: number;
  /** Maximum size of a file. */
  maxBytes: number;
  /**
   * Receives the one file under `field`, one upload at a time per account. Throws DomainError `invalid` for a form
   * without the file, or one that arrives incomplete or too slowly; HttpError 413 for a file that is too large, 429
   * while another upload of the account is in progress, 503 if there is no disk space.
   */
  receive(form: IncomingForm, upload: { field: string; accountId: number }): Promise<ReceivedFile>;
}

const RETRY = { 'Retry-After': '10' };
/**
 * How long an upload waits for an earlier one of the same account: a client that lost its connection retries at once.
 */
const TURN_MS = 2_000;

/**
 * Receives a few files at a time, so that their disk space is bounded, and one per account, so that slow uploads of one
 * account do not block other accounts.
 */
export function createUploads({ atOnce, ...bounds }: UploadConfig): Uploads {
  const underWay = new Map<number, PromiseWithResolvers<void>>();
  const { timeoutMs, maxBytes } = bounds;
  return {
    timeoutMs,
    maxBytes,
    receive: async (form, { field, accountId }) => {
      const before = underWay.get(accountId);
      if (before !== undefined) await settledWithin(before.promise, TURN_MS);
      if (underWay.has(accountId))
        throw new HttpError(
          429,
          'Another upload of this account is under way. Try again when it is done.',
          RETRY,
        );
      if (underWay.size >= atOnce)
        throw new HttpError(503, 'Too many uploads are under way. Try again later.', RETRY);
      const ended = Promise.withResolvers<void>();
      underWay.set(accountId, ended);
      const free = () => {
        underWay.delete(accountId);
        ended.resolve();
      };
      try {
        const { file, bytes, sha256 } = await receiveFile(form, field, bounds);
        return {
          bytes,
          sha256,
          read: (into, position) => file.read(into, position),
          [Symbol.asyncDispose]: async () => {
            free();
            await file.close();
          },
        };
      } catch (error) {
        free();
        throw error;
      }
    },
  };
}

async function settledWithin(work: Promise<void>, timeoutMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
