import type { FileFailureCode } from '@innkeeper/domain';
import { ArchiveFailure } from '../../../archives/archive-failure.ts';

/** Why a request fails, for the person in the panel. */
export class FileFailure extends Error {
  override name = 'FileFailure';
  readonly failure: FileFailureCode;
  readonly detail: string | undefined;
  readonly offset: number | undefined;

  constructor(failure: FileFailureCode, { detail, offset }: { detail?: string; offset?: number } = {}) {
    super(detail ?? failure);
    this.failure = failure;
    this.detail = detail;
    this.offset = offset;
  }
}

const DETAIL_MAX_CHARACTERS = 300;

const byErrno: Readonly<Record<string, FileFailureCode>> = {
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  EDQUOT: 'quota',
  ENOSPC: 'no_space',
  EFBIG: 'too_large',
  ENOENT: 'not_found',
  EEXIST: 'exists',
  ENOTEMPTY: 'exists',
  EISDIR: 'is_folder',
  ENOTDIR: 'not_folder',
  ELOOP: 'outside',
  ENXIO: 'not_file',
  ENAMETOOLONG: 'name_too_long',
  EMLINK: 'too_many',
  EMFILE: 'too_many',
  ENFILE: 'too_many',
  EINVAL: 'invalid',
};

const statuses: Partial<Record<FileFailureCode, number>> = {
  changed: 412,
  denied: 403,
  exists: 409,
  inside_itself: 409,
  io: 500,
  no_space: 507,
  not_found: 404,
  offset: 409,
  quota: 507,
  too_large: 413,
};

/** Any error as a failure. An aborted request or job is `cancelled`. */
export function failureOf(error: unknown): FileFailure {
  if (error instanceof FileFailure) return error;
  if (error instanceof ArchiveFailure)
    return new FileFailure('archive', { detail: error.message.slice(0, DETAIL_MAX_CHARACTERS) });
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || code === 'ABORT_ERR') return new FileFailure('cancelled');
  return new FileFailure(byErrno[code ?? ''] ?? 'io');
}

export function statusOf({ failure }: FileFailure): number {
  return statuses[failure] ?? 400;
}
