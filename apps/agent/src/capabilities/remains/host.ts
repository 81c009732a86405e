import type { Owner } from '../../node/owner.ts';
import type { Trace } from '../../node/trace.ts';

export interface Remains {
  scan(owner: Owner): Promise<Trace[]>;
  remove(owner: Owner, trace: Trace): Promise<void>;
}
