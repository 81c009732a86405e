import type { Owner } from '../../node/owner.ts';

/** The egress firewall of accounts: one table for the whole server. */
export interface Firewall {
  /** Has the kernel hold the table. Gives whether it had to be loaded. */
  ensure(): Promise<boolean>;
  /**
   * Whether the account may connect to port 25 of other servers, in the kernel and after the next boot; undefined when
   * the two differ. Only the first call of the agent's life runs a program.
   */
  smtpIsOpen(owner: Owner): Promise<boolean | undefined>;
  /** Resolves once the kernel has it. Concurrent calls share a load. */
  setSmtp(owner: Owner, isOpen: boolean): Promise<void>;
}
