import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface ProcessesObserved {
  readonly pids: readonly number[];
  readonly uidIsForeign: boolean;
}

interface ProcessesChange extends Change {
  readonly kind: 'kill';
}

/** A suspended or removed account has no process. */
export const processesDriver: Driver<ProcessesObserved, ProcessesChange> = {
  name: 'processes',
  buildsOn: ['remains', 'user', 'quota', 'home', 'slice'],

  async observe(spec, host) {
    if (spec.desired_state === 'active') return { pids: [], uidIsForeign: false };
    const [pids, { uidIsForeign }] = await Promise.all([
      host.processes.of(spec.uid),
      observeClaim(spec, host),
    ]);
    return { pids, uidIsForeign };
  },

  plan(_spec, { pids, uidIsForeign }) {
    if (pids.length === 0 || uidIsForeign) return [];
    return [{ kind: 'kill', summary: `kill ${pids.length} processes` }];
  },

  async apply(_change, spec, host) {
    await host.processes.kill(ownerOf(spec));
  },
};
