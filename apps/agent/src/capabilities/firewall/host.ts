import type { Owner } from '../../node/owner.ts';

/** The egress firewall of accounts: one table for the whole server. */
export interface Firewall {
  /** Makes sure that the kernel has the table. Returns whether it was missing or different. */
  ensure(): Promise<boolean>;
  /**
   * Whether the account may connect to port 25 of other servers, both in the kernel and after the next boot; undefined
   * when the two differ. Only the first call after the agent's start runs a program.
   */
  smtpIsOpen(owner: Owner): Promise<boolean | undefined>;
  /** Resolves when the kernel has the change. Concurrent calls share one load. */
  setSmtp(owner: Owner, isOpen: boolean): Promise<void>;
}
