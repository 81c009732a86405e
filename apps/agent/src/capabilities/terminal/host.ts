import type { Readable, Writable } from 'node:stream';
import type { TerminalSize } from '@innkeeper/protocol/wire';
import type { Owner } from '../../node/owner.ts';

/** A terminal that somebody looks at. */
export interface OpenTerminal {
  /** Bytes for the shell. Its end hangs up. */
  readonly input: Writable;
  /** Output of the shell, which begins with the newest output of a session that was there. Ends with the session. */
  readonly output: Readable;
  resize(size: TerminalSize): void;
  /** Nobody looks any more. The session goes on for some minutes, unless it was hung up. */
  release(): Promise<void>;
}

/** Login shells of accounts in a browser. They end with the agent, and with the processes of the account. */
export interface Terminals {
  /**
   * Starts a session of this name, or takes over the running one; whoever looked at it sees its end. Undefined: the
   * account has as many sessions as it may have.
   */
  open(owner: Owner, wanted: { session: string } & TerminalSize): Promise<OpenTerminal | undefined>;
  /** Kills all sessions of an account. */
  endAll(owner: Owner): Promise<void>;
}
