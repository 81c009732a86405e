import type { Typed } from '../../node/dbus-message.ts';
import type { KernelLimits, Properties } from '../../node/host.ts';
import { observeClaim } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import { type SliceLimit, sliceLimits } from './slice-limits.ts';

interface SliceObserved {
  /** What systemd has set and would apply: the limits, or the files with them for an absent account. */
  readonly properties: Properties;
  /** The limits that the kernel enforces; undefined while the slice does not exist. */
  readonly kernel: KernelLimits | undefined;
  /** Whether the kernel has a cgroup for the slice, used or left over. */
  readonly hasCgroup: boolean;
  /** Units that keep the slice of an absent account in use. */
  readonly active: readonly string[];
  readonly ioLimits: boolean;
  readonly uidIsForeign: boolean;
}

type SliceChange = Change &
  (
    | { readonly kind: 'set'; readonly settings: Readonly<Record<string, Typed>> }
    | { readonly kind: 'stop'; readonly units: readonly string[] }
    | { readonly kind: 'revert' | 'remove-cgroup' }
  );

/**
 * All limits of an account, set on user-<uid>.slice, which contains all its processes. The driver compares both
 * systemd's properties and the kernel's files, because an administrator can change either alone.
 */
export const sliceDriver: Driver<SliceObserved, SliceChange> = {
  name: 'slice',
  buildsOn: ['user'],

  async observe(spec, host) {
    const slice = sliceOf(spec.uid);
    const isAbsent = spec.desired_state === 'absent';
    const limits = sliceLimits.filter(({ isIo }) => !isIo || host.cgroups.ioLimits);
    const wanted = isAbsent ? ['DropInPaths'] : limits.map((limit) => limit.property);
    const units = isAbsent ? [slice, ...companionsOf(spec.uid)] : [];
    const [properties, kernel, hasCgroup, { uidIsForeign }, ...states] = await Promise.all([
      host.systemd.show(slice, wanted),
      host.cgroups.limits(spec.uid),
      host.cgroups.exists(spec.uid),
      observeClaim(spec, host),
      ...units.map((unit) => host.systemd.state(unit)),
    ]);
    const active = units.filter((_, at) => states[at]?.active !== 'inactive');
    return { properties, kernel, hasCgroup, active, ioLimits: host.cgroups.ioLimits, uidIsForeign };
  },

  plan(spec, { properties, kernel, hasCgroup, active, ioLimits, uidIsForeign }) {
    const slice = sliceOf(spec.uid);
    if (spec.desired_state === 'absent') {
      if (uidIsForeign) return [];
      const changes: SliceChange[] = [];
      if (active.length > 0)
        changes.push({ kind: 'stop', units: active, summary: `stop ${active.join(', ')}` });
      const dropIns = properties.DropInPaths as readonly string[];
      if (dropIns.some((path) => path.includes('/system.control/')))
        changes.push({ kind: 'revert', summary: `forget the limits of ${slice}` });
      if (hasCgroup) changes.push({ kind: 'remove-cgroup', summary: `remove the cgroup of ${slice}` });
      return changes;
    }
    const wrong = sliceLimits.filter((limit) => isWrong(limit, spec, properties, kernel, ioLimits));
    if (wrong.length === 0) return [];
    const settings = Object.fromEntries(
      wrong.map((limit) => [limit.property, limit.setting(limit.wanted(spec.limits))]),
    );
    const words = wrong.map((limit) => `${limit.property}=${limit.wanted(spec.limits) ?? 'infinity'}`);
    return [{ kind: 'set', settings, summary: `${slice}: ${words.join(' ')}` }];
  },

  async apply(change, spec, host) {
    const slice = sliceOf(spec.uid);
    switch (change.kind) {
      case 'set':
        return host.systemd.setProperties(slice, change.settings);
      case 'stop':
        await host.systemd.stop(change.units);
        // A unit that fails while it stops stays failed, and would keep the removal from its end.
        return host.systemd.resetFailed(change.units);
      case 'revert':
        return host.systemd.revert(slice);
      case 'remove-cgroup':
        return host.cgroups.remove(spec.uid);
    }
  },
};

function isWrong(
  limit: SliceLimit,
  spec: Parameters<typeof sliceDriver.plan>[0],
  properties: Properties,
  kernel: KernelLimits | undefined,
  ioLimits: boolean,
): boolean {
  if (limit.isIo && !ioLimits) return false;
  const wanted = limit.wanted(spec.limits);
  if (limit.read(properties[limit.property]) !== wanted) return true;
  const inKernel = kernel?.[limit.kernel];
  if (inKernel === undefined) return false;
  if (inKernel === null || wanted === null) return inKernel !== wanted;
  return Math.abs(inKernel - wanted) > limit.tolerance * wanted;
}

function sliceOf(uid: number): string {
  return `user-${uid}.slice`;
}

/** Units that logind starts for a user with a session, and stops some time after the last session. */
export function companionsOf(uid: number): string[] {
  return [`user@${uid}.service`, `user-runtime-dir@${uid}.service`, `run-user-${uid}.mount`];
}
