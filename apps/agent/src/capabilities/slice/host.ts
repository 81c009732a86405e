import type { Owner } from '../../node/owner.ts';

export interface Processes {
  /** Every process that has the uid as real, effective, saved or filesystem uid. */
  of(uid: number): Promise<number[]>;
  /** Kills all that live now, and does not look whether others come. */
  strike(owner: Owner): Promise<void>;
  /** Kills until none is left. HostError when some live on after 5 s. */
  kill(owner: Owner): Promise<void>;
}
