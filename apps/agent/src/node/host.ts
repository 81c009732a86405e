import type { Owner } from './owner.ts';

/** What units of accounts see as /tmp and /var/tmp. Goes with what else the account left in shared places. */
export interface TmpFolders {
  isRight(owner: Owner): Promise<boolean>;
  make(owner: Owner): Promise<void>;
}

/** Of a unit, loaded or not, in systemd's words: `active` and `listening`, `inactive` and `dead`. */
export interface UnitState {
  readonly active: string;
  readonly sub: string;
  /** Whether systemd is to start or stop it, or does so now. */
  readonly hasJob: boolean;
}

/** What was found of the files that the installer places. */
export interface Placed {
  /** Paths that were put back. */
  readonly restored: readonly string[];
  /** What could not be, a sentence each. */
  readonly wrong: readonly string[];
}

/** The files that the installer places for the agent. */
export interface PlacedFiles {
  /** Puts back those below a folder that are missing or changed. Cheap where nothing is. */
  repair(below?: string): Promise<Placed>;
}

export interface Systemd {
  /** All that most looks need, and 50 times cheaper than `show`. Concurrent calls share one program. */
  state(unit: string): Promise<UnitState>;
  /** Properties of a unit, loaded or not, as `systemctl show` prints them. Concurrent calls share one program. */
  show(unit: string, properties: readonly string[]): Promise<Record<string, string>>;
  /** The same of every loaded unit whose name matches. */
  showAll(pattern: string, properties: readonly string[]): Promise<Record<string, string>[]>;
  start(units: readonly string[]): Promise<void>;
  stop(units: readonly string[]): Promise<void>;
  /** As `start` and `stop`, but for a later look to see. */
  startSoon(units: readonly string[]): Promise<void>;
  stopSoon(units: readonly string[]): Promise<void>;
  /** Reads the files of all units again. */
  reloadUnits(): Promise<void>;
  /** Has the service read its configuration again, if it runs. */
  reload(unit: string): Promise<void>;
  /** Forgets that units have failed, and how often they were started. */
  resetFailed(units: readonly string[]): Promise<void>;
  /** SIGKILL to every process of the unit, if it has any. */
  kill(unit: string): Promise<void>;
  /** Persistent and at once, without a reload of all units. An empty value resets. */
  setProperties(unit: string, assignments: readonly string[]): Promise<void>;
  /** Forgets every setting of a unit, on disk and in systemd's memory. */
  revert(unit: string): Promise<void>;
}

/** Limits that the kernel holds a slice to; `undefined` where it cannot say, `null` for none. */
export interface KernelLimits {
  cpuPercent: number | null | undefined;
  memoryBytes: number | null | undefined;
  swapBytes: number | null | undefined;
  tasks: number | null | undefined;
  readBytesPerSecond: number | null | undefined;
  writeBytesPerSecond: number | null | undefined;
  readIops: number | null | undefined;
  writeIops: number | null | undefined;
}

/** What a slice has used of the CPU since it exists, and what it has of memory now. */
export interface SliceUsage {
  readonly cpuMicroseconds: number;
  readonly memoryBytes: number;
}

export interface Cgroups {
  /** Of every account's slice that the kernel has, by uid: an idle account has none. */
  usages(): Promise<ReadonlyMap<number, SliceUsage>>;
  /** Whether the kernel has a cgroup of the slice, in any hierarchy, used or left over. */
  exists(uid: number): Promise<boolean>;
  /** Undefined while the slice does not exist in the kernel. */
  limits(uid: number): Promise<KernelLimits | undefined>;
  /** Removes the cgroups that systemd leaves behind of a slice that it has forgotten. HostError while one is in use. */
  remove(uid: number): Promise<void>;
  /** Whether block IO of /home can be limited on this node. */
  readonly ioLimits: boolean;
}
