import type { Owner } from '../../node/owner.ts';

/** Something that a removed account left on the node. */
export interface Trace {
  readonly kind: string;
  readonly what: string;
  /** Whether `Remains.remove` can take it away. */
  readonly removable: boolean;
  /** It is told, and keeps no account from being absent. Default: no. */
  readonly harmless?: boolean;
}

export interface Remains {
  scan(owner: Owner): Promise<Trace[]>;
  remove(owner: Owner, trace: Trace): Promise<void>;
}
