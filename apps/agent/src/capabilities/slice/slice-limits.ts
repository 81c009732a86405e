import type { AccountSpecLimits } from '@innkeeper/protocol';
import type { KernelLimits } from '../../node/host.ts';
import { parseTimeSpan } from '../../node/systemd.ts';

/**
 * One limit in three formats: the spec's, systemd's, the kernel's. Numbers are in the kernel's unit; null for
 * unlimited.
 */
export interface SliceLimit {
  readonly shownAs: string;
  readonly kernel: keyof KernelLimits;
  readonly isIo: boolean;
  /** Allowed difference between the kernel's value and the wanted one, as a fraction of it: systemd rounds periods. */
  readonly tolerance: number;
  wanted(limits: AccountSpecLimits): number | null;
  /** Parses the value that systemd shows. */
  shown(text: string): number | null;
  assignment(limits: AccountSpecLimits): string;
}

const MIB = 1024 * 1024;
/** systemd finds the disk of this folder. */
const IO_PATH = '/home';

function plain(property: string, kernel: keyof KernelLimits, wanted: SliceLimit['wanted']): SliceLimit {
  return {
    shownAs: property,
    kernel,
    isIo: false,
    tolerance: 0,
    wanted,
    shown: (text) => (text === 'infinity' || text === '' ? null : Number(text)),
    assignment: (limits) => `${property}=${wanted(limits) ?? 'infinity'}`,
  };
}

function io(property: string, kernel: keyof KernelLimits, wanted: SliceLimit['wanted']): SliceLimit {
  return {
    shownAs: property,
    kernel,
    isIo: true,
    tolerance: 0,
    wanted,
    shown: (text) => {
      if (text === '') return null;
      const [path, rate] = text.split(' ');
      // Another path, or more than one, is never the wanted value.
      return path === IO_PATH && text.split(' ').length === 2 ? Number(rate) : Number.NaN;
    },
    assignment: (limits) => {
      const value = wanted(limits);
      return value === null ? `${property}=` : `${property}=${IO_PATH} ${value}`;
    },
  };
}

const bytesPerSecond = (mbps: number | null) => (mbps === null ? null : mbps * MIB);

/** CPU and memory always have a limit; the others may be unlimited. Accounts may not use swap as memory. */
export const sliceLimits: readonly SliceLimit[] = [
  {
    shownAs: 'CPUQuotaPerSecUSec',
    kernel: 'cpuPercent',
    isIo: false,
    tolerance: 0.01,
    wanted: (limits) => limits.cpu_percent,
    shown: (text) => {
      const microseconds = parseTimeSpan(text);
      return microseconds === null ? null : microseconds / 10_000;
    },
    assignment: (limits) => `CPUQuota=${limits.cpu_percent}%`,
  },
  plain('MemoryMax', 'memoryBytes', (limits) => limits.ram_mb * MIB),
  plain('MemorySwapMax', 'swapBytes', () => 0),
  plain('TasksMax', 'tasks', (limits) => limits.max_processes),
  io('IOReadBandwidthMax', 'readBytesPerSecond', (limits) => bytesPerSecond(limits.io_read_mbps)),
  io('IOWriteBandwidthMax', 'writeBytesPerSecond', (limits) => bytesPerSecond(limits.io_write_mbps)),
  io('IOReadIOPSMax', 'readIops', (limits) => limits.iops),
  io('IOWriteIOPSMax', 'writeIops', (limits) => limits.iops),
];
