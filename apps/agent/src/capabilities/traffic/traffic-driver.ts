import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface TrafficObserved {
  readonly isCounted: boolean;
}

interface TrafficChange extends Change {
  readonly kind: 'forget';
}

/**
 * The account's bandwidth totals. Counting creates them. The driver removes them with the account, after its sites are
 * gone.
 */
export const trafficDriver: Driver<TrafficObserved, TrafficChange> = {
  name: 'traffic',

  async observe(spec, host) {
    return { isCounted: host.traffic.knows(ownerOf(spec)) };
  },

  plan({ desired_state }, { isCounted }) {
    if (desired_state !== 'absent' || !isCounted) return [];
    return [{ kind: 'forget', summary: 'forget what the sites have sent' }];
  },

  async apply(_change, spec, host) {
    await host.traffic.forget(ownerOf(spec));
    host.changes.record();
  },
};
