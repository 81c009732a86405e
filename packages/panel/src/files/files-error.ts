import type { FileFailureCode } from '@innkeeper/domain';

/** `unavailable`: the program ended, does not answer, or answers nonsense. */
export type FilesErrorCode = FileFailureCode | 'unavailable' | 'binary';

/** Why the file program did not do what it was asked for. The pages have a sentence for each code. */
export class FilesError extends Error {
  override name = 'FilesError';
  readonly code: FilesErrorCode;
  /** Untrusted text of the program. */
  readonly detail: string | undefined;
  /** Only for `offset`. */
  readonly offset: number | undefined;

  constructor(
    code: FilesErrorCode,
    {
      detail,
      offset,
      cause,
    }: { detail?: string | undefined; offset?: number | undefined; cause?: unknown } = {},
  ) {
    super(detail ?? code, { cause });
    this.code = code;
    this.detail = detail;
    this.offset = offset;
  }
}
