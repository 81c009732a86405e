import { constants } from 'node:os';

/**
 * Whether a file could not be written because the disk, or the quota of the account, is full. Node.js has no code for
 * EDQUOT: it says `UNKNOWN`, and only the number tells.
 */
export function isNoRoom(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || errno === -constants.errno.EDQUOT;
}
