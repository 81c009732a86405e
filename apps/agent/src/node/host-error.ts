/**
 * `Conflict`: a foreign object is in the way; only an operator can clear it. `Refused`: the spec requests something
 * that this node never does. `Failed`: an operation failed.
 */
export type HostErrorReason = 'Conflict' | 'Refused' | 'Failed';

/** An expected failure of the node. The message is a sentence for operators and contains no secret. */
export class HostError extends Error {
  readonly reason: HostErrorReason;
  /** Whether the same spec may succeed later without a human. */
  readonly retryable: boolean;
  /** Program and arguments, when a program failed. */
  readonly command: string | undefined;
  readonly exitCode: number | undefined;
  /** Ids of the children (domains, databases, apps) that the failure concerns. Empty: all children of the driver. */
  readonly concerns: readonly number[];

  constructor(
    reason: HostErrorReason,
    message: string,
    options: {
      retryable?: boolean;
      command?: string;
      exitCode?: number | undefined;
      concerns?: readonly number[];
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HostError';
    this.reason = reason;
    this.retryable = options.retryable ?? reason === 'Failed';
    this.command = options.command;
    this.exitCode = options.exitCode;
    this.concerns = options.concerns ?? [];
  }
}

/** A foreign object is in the way of the object that `message` names. The foreign object is left unchanged. */
export function conflict(message: string): HostError {
  return new HostError('Conflict', message);
}

/** The spec exceeds what this node does for an account. */
export function refused(message: string): HostError {
  return new HostError('Refused', message);
}
