import type { Typed, Value } from './dbus-message.ts';
import type { Owner } from './owner.ts';

/**
 * The folders that units of accounts see as /tmp and /var/tmp. They are removed with the account's other files in
 * shared folders.
 */
export interface TmpFolders {
  isRight(owner: Owner): Promise<boolean>;
  make(owner: Owner): Promise<void>;
}

/** State of a unit, loaded or not, in systemd's words: `active` and `listening`, `inactive` and `dead`. */
export interface UnitState {
  readonly active: string;
  readonly sub: string;
  /** Whether systemd has a queued or running job for it. */
  readonly hasJob: boolean;
}

/** The result of checking the files that the installer places. */
export interface Placed {
  /** Paths that were restored. */
  readonly restored: readonly string[];
  /** Files that could not be restored, one sentence each. */
  readonly wrong: readonly string[];
}

/** The files that the installer places for the agent. */
export interface PlacedFiles {
  /** Restores files below a folder that are missing or changed. Cheap if there are none. */
  repair(below?: string): Promise<Placed>;
}

/** Properties of a unit by name. */
export type Properties = Readonly<Record<string, Value>>;

export interface Systemd {
  /** Sufficient for most observations. Concurrent calls share one call of systemd. */
  state(unit: string): Promise<UnitState>;
  /**
   * Properties of a unit, loaded or not, as systemd has them over D-Bus: limits as numbers, Infinity for none, times in
   * microseconds since 1970. Concurrent calls share one connection.
   */
  show(unit: string, properties: readonly string[]): Promise<Properties>;
  /** States by the name of each loaded unit whose name matches. */
  loaded(pattern: string): Promise<ReadonlyMap<string, UnitState>>;
  start(units: readonly string[]): Promise<void>;
  stop(units: readonly string[]): Promise<void>;
  /** Like `start` and `stop`, without waiting: a later observation sees the result. */
  startSoon(units: readonly string[]): Promise<void>;
  stopSoon(units: readonly string[]): Promise<void>;
  /** Reloads all unit files. */
  reloadUnits(): Promise<void>;
  /** Makes the service reload its configuration, if it runs. */
  reload(unit: string): Promise<void>;
  /** Clears the failed state and the start counter of units. */
  resetFailed(units: readonly string[]): Promise<void>;
  /** Sends SIGKILL to every process of the unit, if it has any. */
  kill(unit: string): Promise<void>;
  /** Persistent and effective at once, without a reload of all units. An empty list resets. */
  setProperties(unit: string, settings: Readonly<Record<string, Typed>>): Promise<void>;
  /** Removes every setting of a unit, on disk and in systemd's memory. */
  revert(unit: string): Promise<void>;
}

/** Limits that the kernel enforces on a slice. `undefined` where the kernel cannot report it, `null` for no limit. */
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

/** CPU time that a slice has used since its creation, and its current memory. */
export interface SliceUsage {
  readonly cpuMicroseconds: number;
  readonly memoryBytes: number;
}

export interface Cgroups {
  /** Usage of every account slice in the kernel, by uid. An idle account has no slice. */
  usages(): Promise<ReadonlyMap<number, SliceUsage>>;
  /** Returns whether the kernel has a cgroup of the slice in any hierarchy, in use or left over. */
  exists(uid: number): Promise<boolean>;
  /** Undefined while the slice does not exist in the kernel. */
  limits(uid: number): Promise<KernelLimits | undefined>;
  /**
   * Removes the cgroups that systemd left behind for a slice that it no longer knows. HostError while one is in use.
   */
  remove(uid: number): Promise<void>;
  /** Whether block IO of /home can be limited on this node. */
  readonly ioLimits: boolean;
}
