import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface QuotaObserved {
  readonly isEnforced: boolean;
  /** Bytes; undefined where there is no limit. */
  readonly limit: number | undefined;
  readonly uidIsForeign: boolean;
}

interface QuotaChange extends Change {
  readonly kind: 'set' | 'lift';
}

const MIB = 1_048_576;

/** How much an account may store in its home, where the file system can enforce it. */
export const quotaDriver: Driver<QuotaObserved, QuotaChange> = {
  name: 'quota',
  buildsOn: ['user'],
  isShared: true,

  async observe(spec, host) {
    if (!(await host.quota.isEnforced())) return { isEnforced: false, limit: undefined, uidIsForeign: false };
    const [limit, { uidIsForeign }] = await Promise.all([
      host.quota.limitOf(ownerOf(spec)),
      observeClaim(spec, host),
    ]);
    return { isEnforced: true, limit, uidIsForeign };
  },

  plan(spec, { isEnforced, limit, uidIsForeign }) {
    if (!isEnforced) return [];
    if (spec.desired_state === 'absent') {
      if (uidIsForeign || limit === undefined) return [];
      return [{ kind: 'lift', summary: `forget the disk limit of uid ${spec.uid}` }];
    }
    if (limit === spec.limits.disk_mb * MIB) return [];
    return [{ kind: 'set', summary: `uid ${spec.uid} may store ${spec.limits.disk_mb} MiB` }];
  },

  async apply({ kind }, spec, host) {
    await host.quota.setLimit(ownerOf(spec), kind === 'set' ? spec.limits.disk_mb * MIB : undefined);
  },
};
