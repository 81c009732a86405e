import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Value } from '../../node/dbus-message.ts';
import type { KernelLimits, Properties } from '../../node/host.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import { sliceLimits } from './slice-limits.ts';

/** Slices of a fake hosting server: systemd's settings, the kernel's limits, and processes. */
export class FakeSlices {
  /** Properties that were set, by unit. */
  readonly #settings = new Map<string, Record<string, Value>>();
  readonly #kernel = new Map<number, KernelLimits>();
  /** Processes by uid. */
  readonly pids = new Map<number, number[]>();
  readonly #onKilled: (uid: number) => void;

  constructor(onKilled: (uid: number) => void) {
    this.#onKilled = onKilled;
  }

  host(changes: Changes): Pick<Host, 'systemd' | 'cgroups' | 'processes'> {
    return {
      systemd: this.#systemd(changes),
      cgroups: {
        ioLimits: true,
        usages: async () => new Map(),
        exists: async (uid) => this.#kernel.has(uid),
        limits: async (uid) => this.#kernel.get(uid),
        remove: async (uid) => {
          this.#kernel.delete(uid);
          changes.record();
        },
      },
      processes: {
        of: async (uid) => this.pids.get(uid) ?? [],
        strike: async () => {},
        kill: async ({ uid }) => {
          this.pids.delete(uid);
          this.#onKilled(uid);
          changes.record();
        },
      },
    };
  }

  #systemd(changes: Changes): Host['systemd'] {
    return {
      state: async () => ({ active: 'inactive', sub: 'dead', hasJob: false }),
      show: async (unit) => {
        const settings = this.#settings.get(unit);
        const dropIn = `/etc/systemd/system.control/${unit}.d/50-MemoryMax.conf`;
        return { ...unlimited, DropInPaths: settings === undefined ? [] : [dropIn], ...settings };
      },
      loaded: async () => new Map(),
      start: async () => changes.record(),
      stop: async () => changes.record(),
      startSoon: async () => changes.record(),
      stopSoon: async () => changes.record(),
      reloadUnits: async () => changes.record(),
      reload: async () => changes.record(),
      resetFailed: async () => changes.record(),
      kill: async () => changes.record(),
      setProperties: async (unit, set) => {
        const values = Object.entries(set).map(([property, { value }]) => [property, value]);
        const settings = { ...this.#settings.get(unit), ...Object.fromEntries(values) };
        this.#settings.set(unit, settings);
        const uid = Number(/^user-(\d+)\.slice$/.exec(unit)?.[1]);
        if (this.#kernel.has(uid)) this.#kernel.set(uid, kernelOf(settings));
        changes.record();
      },
      revert: async (unit) => {
        this.#settings.delete(unit);
        changes.record();
      },
    };
  }

  traces({ uid }: Owner): string[] {
    return [
      ...(this.#settings.has(`user-${uid}.slice`) ? ['unit settings'] : []),
      ...(this.pids.has(uid) ? ['process'] : []),
    ];
  }

  tamperings({ uid }: AccountSpec) {
    const slice = `user-${uid}.slice`;
    const settings = this.#settings.get(slice)!;
    return {
      'limit lowered in systemd': () => void this.#settings.set(slice, { ...settings, MemoryMax: 1_048_576 }),
      'limit lifted in the kernel': () => void this.#kernel.set(uid, { ...kernelOf(settings), tasks: null }),
    };
  }
}

const unlimited: Properties = {
  CPUQuotaPerSecUSec: Number.POSITIVE_INFINITY,
  MemoryMax: Number.POSITIVE_INFINITY,
  MemorySwapMax: Number.POSITIVE_INFINITY,
  TasksMax: 4_915,
  IOReadBandwidthMax: [],
  IOWriteBandwidthMax: [],
  IOReadIOPSMax: [],
  IOWriteIOPSMax: [],
};

function kernelOf(settings: Properties): KernelLimits {
  const inForce = { ...unlimited, ...settings };
  const limits = sliceLimits.map(({ kernel, property, read }) => [kernel, read(inForce[property])]);
  return { ...Object.fromEntries(limits), swapBytes: undefined };
}
