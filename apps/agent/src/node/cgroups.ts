import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readdir, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isAccountUid } from '@innkeeper/domain';
import type { Changes } from './changes.ts';
import type { Cgroups, KernelLimits, SliceUsage } from './host.ts';
import { HostError } from './host-error.ts';
import { assertAccountUid } from './owner.ts';

/**
 * Reads slices from the kernel, on cgroup v2 and on v1 with an empty unified tree beside it. Reading runs no program.
 * The unified tree has cgroup.kill and cpu.stat on both, wherever it is mounted.
 */
const ROOT = '/sys/fs/cgroup';
const V1_NO_MEMORY_LIMIT = 2 ** 62;
/** Slices read before yielding to the event loop: 4 ms. */
const AT_A_STRETCH = 100;

export class KernelCgroups implements Cgroups {
  readonly ioLimits: boolean;
  readonly #changes: Changes;
  readonly #isV2: boolean;
  readonly #device: string | undefined;
  /** Mount points of all hierarchies. They do not change while the system runs. */
  readonly #roots: readonly string[];

  constructor(changes: Changes) {
    this.#changes = changes;
    this.#isV2 = existsSync(join(ROOT, 'cgroup.controllers'));
    this.#device = diskBelow('/home');
    const roots = this.#isV2 ? [ROOT] : readdirSync(ROOT).map((name) => join(ROOT, name));
    this.#roots = [...new Set(roots.filter((root) => existsSync(root)).map((root) => realpathSync(root)))];
    this.ioLimits = this.#device !== undefined && hasIoController();
  }

  async exists(uid: number): Promise<boolean> {
    assertAccountUid(uid);
    return this.#folders(uid).length > 0;
  }

  async remove(uid: number): Promise<void> {
    assertAccountUid(uid);
    for (const folder of this.#folders(uid)) {
      await removeTree(folder);
      this.#changes.record();
    }
  }

  async limits(uid: number): Promise<KernelLimits | undefined> {
    assertAccountUid(uid);
    if (!existsSync(this.#unified(uid))) return undefined;
    return this.#isV2 ? this.#limitsV2(uid) : this.#limitsV1(uid);
  }

  async usages(): Promise<ReadonlyMap<number, SliceUsage>> {
    const usages = new Map<number, SliceUsage>();
    const names = await list(join(ROOT, this.#isV2 ? '' : 'unified', 'user.slice'));
    for (const [at, name] of names.entries()) {
      if (at % AT_A_STRETCH === 0) await setImmediate();
      const uid = Number(/^user-(\d+)\.slice$/.exec(name)?.[1]);
      const usage = isAccountUid(uid) ? this.#usage(uid) : undefined;
      if (usage !== undefined) usages.set(uid, usage);
    }
    return usages;
  }

  #usage(uid: number): SliceUsage | undefined {
    const memoryFile = this.#isV2
      ? join(this.#unified(uid), 'memory.current')
      : join(ROOT, 'memory', slicePath(uid), 'memory.usage_in_bytes');
    const stat = read(join(this.#unified(uid), 'cpu.stat'));
    // A slice without processes may exist in one tree only.
    const memory = read(memoryFile);
    const microseconds = stat === undefined ? undefined : /^usage_usec (\d+)$/m.exec(stat)?.[1];
    if (microseconds === undefined) return undefined;
    return { cpuMicroseconds: Number(microseconds), memoryBytes: Number(memory ?? 0) };
  }

  /** Kills every process of the slice atomically, including processes that are being forked. */
  async kill(uid: number): Promise<void> {
    assertAccountUid(uid);
    try {
      await writeFile(join(this.#unified(uid), 'cgroup.kill'), '1');
      this.#changes.record();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Kills every process of a session of the account. `scope` is its unit in the slice. */
  async killScope(uid: number, scope: string): Promise<void> {
    assertAccountUid(uid);
    if (!/^[A-Za-z0-9_.@:-]+\.scope$/.test(scope))
      throw new HostError('Failed', 'Not the scope of a session.');
    try {
      await writeFile(join(this.#unified(uid), scope, 'cgroup.kill'), '1');
      this.#changes.record();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Folders of the slice, one in each hierarchy that has it. */
  #folders(uid: number): string[] {
    return this.#roots.map((root) => join(root, slicePath(uid))).filter((path) => existsSync(path));
  }

  #unified(uid: number): string {
    return join(ROOT, this.#isV2 ? '' : 'unified', slicePath(uid));
  }

  #limitsV2(uid: number): KernelLimits {
    const file = (name: string) => read(join(this.#unified(uid), name));
    const [cpu, memory, swap, tasks, io] = [
      'cpu.max',
      'memory.max',
      'memory.swap.max',
      'pids.max',
      'io.max',
    ].map(file);
    const [quota, period] = cpu?.trim().split(' ') ?? [];
    const device = io?.split('\n').find((line) => line.startsWith(`${this.#device} `));
    const rate = (key: string) =>
      io === undefined ? undefined : limit(new RegExp(` ${key}=(\\S+)`).exec(device ?? '')?.[1] ?? 'max');
    return {
      cpuPercent:
        quota === undefined ? undefined : quota === 'max' ? null : (Number(quota) / Number(period)) * 100,
      memoryBytes: limit(memory),
      swapBytes: limit(swap),
      tasks: limit(tasks),
      readBytesPerSecond: rate('rbps'),
      writeBytesPerSecond: rate('wbps'),
      readIops: rate('riops'),
      writeIops: rate('wiops'),
    };
  }

  #limitsV1(uid: number): KernelLimits {
    const file = (controller: string, name: string) => read(join(ROOT, controller, slicePath(uid), name));
    const throttle = (name: string) => {
      const text = file('blkio', `blkio.throttle.${name}_device`);
      if (text === undefined) return undefined;
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${this.#device} `));
      return line === undefined ? null : Number(line.split(' ')[1]);
    };
    const quota = file('cpu', 'cpu.cfs_quota_us');
    const period = file('cpu', 'cpu.cfs_period_us');
    const memory = file('memory', 'memory.limit_in_bytes');
    const tasks = file('pids', 'pids.max');
    const bytes = limit(memory);
    return {
      cpuPercent:
        quota === undefined ? undefined : Number(quota) < 0 ? null : (Number(quota) / Number(period)) * 100,
      memoryBytes: bytes === undefined || bytes === null || bytes < V1_NO_MEMORY_LIMIT ? bytes : null,
      swapBytes: undefined,
      tasks: limit(tasks),
      readBytesPerSecond: throttle('read_bps'),
      writeBytesPerSecond: throttle('write_bps'),
      // On v1, systemd sets only bytes per second and ignores limits of operations.
      readIops: undefined,
      writeIops: undefined,
    };
  }
}

/**
 * Returns whether the kernel can limit IO. On cgroup v2 the controllers of the root decide: a slice has `io.max` only
 * after systemd has set an IO limit on some unit beside it.
 */
export function hasIoController(root: string = ROOT): boolean {
  const controllers = read(join(root, 'cgroup.controllers'));
  if (controllers === undefined) return existsSync(join(root, 'blkio'));
  return controllers.trim().split(' ').includes('io');
}

/** A cgroup has no files of its own to remove. The kernel refuses the removal while a process is in it. */
async function removeTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  try {
    await rmdir(folder);
  } catch (error) {
    if (isGone(error)) return;
    throw new HostError('Failed', `The cgroup ${folder} is still in use.`, { cause: error });
  }
}

/** Path below a controller's root. */
function slicePath(uid: number): string {
  return `user.slice/user-${uid}.slice`;
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/**
 * Reads synchronously: the kernel answers in microseconds, less than a hand-over to another thread takes. As UTF-8: any
 * other encoding allocates a buffer of 8 KiB for each file, which is 80 MB for one observation of 5,000 slices.
 */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** True for a missing file or cgroup. ENODEV: it was removed while it was open. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENODEV'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function limit(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return text.trim() === 'max' ? null : Number(text);
}

/** Returns `major:minor` of the whole disk below a folder. Undefined if its file system has no block device. */
function diskBelow(folder: string): string | undefined {
  const { dev } = statSync(folder, { bigint: true });
  // The kernel's encoding of a device number, as stat(2) returns it.
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  const node = `/sys/dev/block/${major}:${minor}`;
  if (!existsSync(node)) return undefined;
  const device = realpathSync(node);
  const disk = existsSync(join(device, 'partition')) ? dirname(device) : device;
  return readFileSync(join(disk, 'dev'), 'latin1').trim();
}
