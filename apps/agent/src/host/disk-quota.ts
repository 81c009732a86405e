import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { assertOwner } from './account-uid.ts';
import { coalesce, type Request } from './coalesce.ts';
import type { Exec, RunResult } from './exec.ts';
import type { DiskQuota, Owner } from './host.ts';
import { HostError } from './host-error.ts';

type QuotaProgram = 'quotaon' | 'repquota' | 'setquota';
interface Limit {
  readonly uid: number;
  readonly kib: number;
}

/**
 * Quotas are the kernel's for CAP_SYS_ADMIN alone, which the agent does not have: systemd starts the programs, with
 * that and nothing else.
 */
const BY_SYSTEMD = [
  ...[
    '--quiet',
    '--collect',
    '--wait',
    '--pipe',
    '--no-ask-password',
    '--description=Disk limits of accounts',
  ],
  '--property=CapabilityBoundingSet=CAP_SYS_ADMIN CAP_DAC_READ_SEARCH',
  ...[
    '--property=NoNewPrivileges=yes',
    '--property=RestrictNamespaces=yes',
    '--property=PrivateNetwork=yes',
    '--',
  ],
];
const FILE_SYSTEMS = new Set(['ext4', 'xfs']);
const TIMEOUT_MS = 60_000;
/** A line for each of some thousand users. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const KIB = 1_024;

/** The quota of users on the file system of the homes: what a user may store there, by the owner of files. */
export class FileSystemQuota implements DiskQuota {
  readonly #exec: Exec;
  readonly #homes: string;
  readonly #limitOf = coalesce<number, number | undefined>((requests) => this.#look(requests));
  readonly #set = coalesce<Limit, void>((requests) => this.#write(requests));
  #mountPoint: Promise<string | undefined> | undefined;

  constructor(exec: Exec, homes = '/home') {
    this.#exec = exec;
    this.#homes = homes;
  }

  async isEnforced(): Promise<boolean> {
    return (await this.#enforcingMountPoint()) !== undefined;
  }

  async limitOf(owner: Owner): Promise<number | undefined> {
    assertOwner(owner);
    return await this.#limitOf(owner.uid);
  }

  async setLimit(owner: Owner, bytes: number | undefined): Promise<void> {
    assertOwner(owner);
    await this.#set({ uid: owner.uid, kib: bytes === undefined ? 0 : Math.ceil(bytes / KIB) });
  }

  async #look(requests: readonly Request<number, number | undefined>[]): Promise<void> {
    const { stdout } = await this.#run('repquota', ['-u', '-n', '-v', '-O', 'csv', await this.#required()]);
    const limits = parseLimits(stdout);
    for (const { input, resolve } of requests) resolve(limits.get(input));
  }

  async #write(requests: readonly Request<Limit, void>[]): Promise<void> {
    const lines = requests.map(({ input: { uid, kib } }) => `${uid} 0 ${kib} 0 0\n`);
    await this.#run('setquota', ['-u', '-b', await this.#required()], lines.join(''));
    for (const { resolve } of requests) resolve();
  }

  async #required(): Promise<string> {
    const mountPoint = await this.#enforcingMountPoint();
    if (mountPoint === undefined) throw new HostError('Failed', `${this.#homes} has no quota of users.`);
    return mountPoint;
  }

  #enforcingMountPoint(): Promise<string | undefined> {
    this.#mountPoint ??= this.#findEnforcing();
    return this.#mountPoint;
  }

  /** Whatever keeps this from being known, nobody is held to a limit then. */
  async #findEnforcing(): Promise<string | undefined> {
    const mount = mountOf(this.#homes, await readFile('/proc/1/mountinfo', 'utf8'));
    if (mount === undefined || !FILE_SYSTEMS.has(mount.fileSystem) || !existsSync('/usr/sbin/setquota'))
      return undefined;
    try {
      const { stdout } = await this.#run('quotaon', ['-p', '-u', mount.point]);
      return isOn(stdout) ? mount.point : undefined;
    } catch (error) {
      if (error instanceof HostError) return undefined;
      throw error;
    }
  }

  async #run(program: QuotaProgram, args: readonly string[], input?: string): Promise<RunResult> {
    const words = [...BY_SYSTEMD, `/usr/sbin/${program}`, ...args];
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
    if (program === 'setquota')
      return await this.#exec.change('/usr/bin/systemd-run', words, { ...limits, input: input ?? '' });
    // quotaon: exit code 1 says that a quota is on.
    return await this.#exec.run('/usr/bin/systemd-run', words, {
      ...limits,
      accept: program === 'quotaon' ? [0, 1] : [0],
    });
  }
}

/** What `quotaon -p` says: XFS also counts without holding anybody to a limit. */
export function isOn(printed: string): boolean {
  return /^user quota on .* is on(?: \(enforced\))?$/m.test(printed);
}

/** Hard limits of blocks, in bytes, by uid, of a report in CSV by number; users without one are left out. */
export function parseLimits(report: string): Map<number, number> {
  const limits = new Map<number, number>();
  for (const line of report.split('\n')) {
    const [, uid, kib] = /^#?(\d+),[^,]*,[^,]*,\d+,\d+,(\d+),/.exec(line) ?? [];
    if (uid !== undefined && Number(kib) > 0) limits.set(Number(uid), Number(kib) * KIB);
  }
  return limits;
}

/** The mount that holds a folder, as mountinfo of proc(5) has it; undefined for a path with an escape in it. */
export function mountOf(
  folder: string,
  mountinfo: string,
): { point: string; fileSystem: string } | undefined {
  const mounts = mountinfo.split('\n').flatMap((line) => {
    const [, point, fileSystem] = /^\d+ \d+ \S+ \S+ (\S+) .* - (\S+) /.exec(line) ?? [];
    return point === undefined || fileSystem === undefined ? [] : [{ point, fileSystem }];
  });
  const holders = mounts.filter(
    ({ point }) => point === '/' || folder === point || folder.startsWith(`${point}/`),
  );
  const longest = Math.max(0, ...holders.map(({ point }) => point.length));
  return holders.findLast(({ point }) => point.length === longest);
}
