import type { MailRelay } from '@innkeeper/protocol';
import type { Owner } from '../../node/owner.ts';

/** Messages of an account in the queue. */
export interface QueuedOf {
  /** Those that are delivered, now or later. */
  readonly waiting: number;
  /** Those that stay until they are released. */
  readonly held: number;
}

/** Mail that programs of accounts send: what the mail service knows of an account, and its mail in the queue. */
export interface Mail {
  /** The text of the account's settings. Undefined: there is none, or the service would not trust the file. */
  read(owner: Owner): Promise<string | undefined>;
  write(owner: Owner, text: string): Promise<void>;
  /** Removes the settings, so the service refuses every mail of the account. */
  remove(owner: Owner): Promise<void>;
  /** Whether the account has counters. */
  hasCounters(owner: Owner): Promise<boolean>;
  removeCounters(owner: Owner): Promise<void>;
  queued(owner: Owner): Promise<QueuedOf>;
  hold(owner: Owner): Promise<void>;
  release(owner: Owner): Promise<void>;
  deleteQueued(owner: Owner): Promise<void>;
}

/** The mail system of the server. */
export interface MailSystem {
  /**
   * Makes the server send over this relay, or send nothing (null). Changes nothing if it does. Throws HostError with a
   * sentence for the operator.
   */
  apply(relay: MailRelay | null): Promise<void>;
}
