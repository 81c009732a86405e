import { ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface TrafficObserved {
  readonly isCounted: boolean;
}

interface TrafficChange extends Change {
  readonly kind: 'forget';
}

/** The account's bandwidth totals, which make themselves and go with the account, once it has no site any more. */
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
