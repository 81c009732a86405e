import type { AccountSpecLimits } from '@innkeeper/protocol';
import type { Typed, Value } from '../../node/dbus-message.ts';
import type { KernelLimits } from '../../node/host.ts';

/**
 * One limit in three formats: the spec's, systemd's, the kernel's. Numbers are in the kernel's unit; null for
 * unlimited.
 */
export interface SliceLimit {
  /** systemd's property of the slice. */
  readonly property: string;
  readonly kernel: keyof KernelLimits;
  readonly isIo: boolean;
  /** Allowed difference between the kernel's value and the wanted one, as a fraction of it: systemd rounds periods. */
  readonly tolerance: number;
  wanted(limits: AccountSpecLimits): number | null;
  /** Reads the value that systemd has. */
  read(value: Value | undefined): number | null;
  /** The value as systemd takes it. */
  setting(wanted: number | null): Typed;
}

const MIB = 1024 * 1024;
/** systemd finds the disk of this folder. */
const IO_PATH = '/home';
/** systemd's property has microseconds of CPU time in each second. */
const MICROSECONDS_A_PERCENT = 10_000;

function plain(
  property: string,
  kernel: keyof KernelLimits,
  wanted: SliceLimit['wanted'],
  { unit = 1, tolerance = 0 } = {},
): SliceLimit {
  return {
    property,
    kernel,
    isIo: false,
    tolerance,
    wanted,
    read: (value) => (value === Number.POSITIVE_INFINITY ? null : Number(value) / unit),
    setting: (value) => ({ type: 't', value: value === null ? Number.POSITIVE_INFINITY : value * unit }),
  };
}

function io(property: string, kernel: keyof KernelLimits, wanted: SliceLimit['wanted']): SliceLimit {
  return {
    property,
    kernel,
    isIo: true,
    tolerance: 0,
    wanted,
    read: (value) => {
      const limits = value as readonly (readonly [path: string, rate: number])[];
      if (limits.length === 0) return null;
      const [path, rate] = limits[0]!;
      // Another path, or more than one, is never the wanted value.
      return path === IO_PATH && limits.length === 1 ? rate : Number.NaN;
    },
    setting: (value) => ({ type: 'a(st)', value: value === null ? [] : [[IO_PATH, value]] }),
  };
}

const bytesPerSecond = (mbps: number | null) => (mbps === null ? null : mbps * MIB);

/** CPU and memory always have a limit; the others may be unlimited. Accounts may not use swap as memory. */
export const sliceLimits: readonly SliceLimit[] = [
  plain('CPUQuotaPerSecUSec', 'cpuPercent', (limits) => limits.cpu_percent, {
    unit: MICROSECONDS_A_PERCENT,
    tolerance: 0.01,
  }),
  plain('MemoryMax', 'memoryBytes', (limits) => limits.ram_mb * MIB),
  plain('MemorySwapMax', 'swapBytes', () => 0),
  plain('TasksMax', 'tasks', (limits) => limits.max_processes),
  io('IOReadBandwidthMax', 'readBytesPerSecond', (limits) => bytesPerSecond(limits.io_read_mbps)),
  io('IOWriteBandwidthMax', 'writeBytesPerSecond', (limits) => bytesPerSecond(limits.io_write_mbps)),
  io('IOReadIOPSMax', 'readIops', (limits) => limits.iops),
  io('IOWriteIOPSMax', 'writeIops', (limits) => limits.iops),
];
