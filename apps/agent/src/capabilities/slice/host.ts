import type { Owner } from '../../node/owner.ts';

export interface Processes {
  /** Every process that has the uid as real, effective, saved or filesystem uid. */
  of(uid: number): Promise<number[]>;
  /** Kills all running processes once, without a check for new ones. */
  strike(owner: Owner): Promise<void>;
  /** Kills until none is left. Throws HostError when some still live after 5 s. */
  kill(owner: Owner): Promise<void>;
}
