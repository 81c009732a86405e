import { HostError } from '../../node/host-error.ts';
import type { Trace } from '../../node/trace.ts';
import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface RemainsChange extends Change {
  readonly kind: 'remove';
  readonly trace: Trace;
}

/**
 * Proves absence, as the last step of a removal: nothing of the account is left on the node. It also removes what no
 * other driver created (files in shared folders, crontabs, IPC objects).
 */
export const remainsDriver: Driver<readonly Trace[], RemainsChange> = {
  name: 'remains',

  async observe(spec, host) {
    if (spec.desired_state !== 'absent') return [];
    const { uidIsForeign, nameIsForeign } = await observeClaim(spec, host);
    return uidIsForeign || nameIsForeign ? [] : host.remains.scan(ownerOf(spec));
  },

  plan(_spec, traces) {
    const removable = traces.filter((trace) => trace.removable);
    const stuck = traces.filter(({ removable, harmless }) => !removable && harmless !== true);
    if (removable.length === 0 && stuck.length > 0) {
      const some = stuck.slice(0, 10).map(({ kind, what }) => `${kind} ${what}`);
      throw new HostError('Failed', `Still on this node: ${some.join(', ')}.`);
    }
    return removable.map((trace) => ({
      kind: 'remove',
      trace,
      summary: `remove ${trace.kind} ${trace.what}`,
    }));
  },

  async apply({ trace }, spec, host) {
    await host.remains.remove(ownerOf(spec), trace);
  },

  note(_spec, traces) {
    const harmless = traces.filter((trace) => trace.harmless === true);
    if (harmless.length === 0) return '';
    const some = harmless.slice(0, 10).map(({ what }) => what);
    return `${harmless.length} files of the account stay where others keep them: ${some.join(', ')}.`;
  },
};
