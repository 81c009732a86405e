import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { KernelLimits } from '../../node/host.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/** Slices of a fake hosting server: systemd's settings, the kernel's limits, and processes. */
export class FakeSlices {
  /** Settings by unit. */
  readonly #settings = new Map<string, Record<string, string>>();
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
        const defaults = { CPUQuotaPerSecUSec: 'infinity', MemoryMax: 'infinity', MemorySwapMax: 'infinity' };
        return {
          ActiveState: 'inactive',
          DropInPaths:
            settings === undefined ? '' : `/etc/systemd/system.control/${unit}.d/50-MemoryMax.conf`,
          TasksMax: '4915',
          ...defaults,
          ...settings,
        };
      },
      showAll: async () => [],
      start: async () => changes.record(),
      stop: async () => changes.record(),
      startSoon: async () => changes.record(),
      stopSoon: async () => changes.record(),
      reloadUnits: async () => changes.record(),
      reload: async () => changes.record(),
      resetFailed: async () => changes.record(),
      kill: async () => changes.record(),
      setProperties: async (unit, assignments) => {
        const settings = { ...this.#settings.get(unit) };
        for (const assignment of assignments) Object.assign(settings, shownAs(assignment));
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
      'limit lowered in systemd': () => void this.#settings.set(slice, { ...settings, MemoryMax: '1048576' }),
      'limit lifted in the kernel': () => void this.#kernel.set(uid, { ...kernelOf(settings), tasks: null }),
    };
  }
}

function shownAs(assignment: string): Record<string, string> {
  const [key = '', value = ''] = assignment.split(/=(.*)/s);
  if (key !== 'CPUQuota') return { [key]: value };
  return { CPUQuotaPerSecUSec: `${Number.parseInt(value, 10) / 100}s` };
}

function kernelOf(settings: Readonly<Record<string, string>>): KernelLimits {
  const number = (key: string) => {
    const text = settings[key] ?? '';
    return text === '' || text === 'infinity' ? null : Number(text.split(' ').at(-1));
  };
  return {
    cpuPercent: Number.parseFloat(settings.CPUQuotaPerSecUSec ?? '0') * 100,
    memoryBytes: number('MemoryMax'),
    swapBytes: undefined,
    tasks: number('TasksMax'),
    readBytesPerSecond: number('IOReadBandwidthMax'),
    writeBytesPerSecond: number('IOWriteBandwidthMax'),
    readIops: number('IOReadIOPSMax'),
    writeIops: number('IOWriteIOPSMax'),
  };
}
