/**
 * `Conflict`: something that is not ours stands in the way; only a human can clear it.
 * `Refused`: the spec asks for what this node never does. `Failed`: an operation went wrong.
 */
export type HostErrorReason = 'Conflict' | 'Refused' | 'Failed';

/** An expected failure of the node. The message is a sentence for operators and holds no secret. */
export class HostError extends Error {
  readonly reason: HostErrorReason;
  /** Whether the same spec may succeed later without a human. */
  readonly retryable: boolean;
  /** Program and arguments, when a program failed. */
  readonly command: string | undefined;
  readonly exitCode: number | undefined;
  /** Ids of the children (databases, apps) that it is about; empty: all that the driver has. */
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

/** A foreign object stands in the way of `message`'s subject; it is left as it is. */
export function conflict(message: string): HostError {
  return new HostError('Conflict', message);
}

/** The spec oversteps what this node does for an account. */
export function refused(message: string): HostError {
  return new HostError('Refused', message);
}
