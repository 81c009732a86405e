import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { coalesce, type Request } from '../../node/coalesce.ts';
import type { Exec } from '../../node/exec.ts';
import { HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import perl from './disk-quota.embed.ts';

interface Mount {
  readonly point: string;
  readonly device: string;
  readonly fileSystem: string;
}
interface Limit {
  readonly uid: number;
  readonly kib: number;
}
/** Bytes. */
interface Reported {
  readonly stored: number;
  readonly limit: number | undefined;
}

/**
 * The kernel allows quota changes only with CAP_SYS_ADMIN, which the agent does not have. So systemd starts the
 * programs with this capability and no other.
 */
const BY_SYSTEMD = [
  ...['--quiet', '--collect', '--wait', '--pipe', '--no-ask-password', '--description=Disk limits'],
  '--property=CapabilityBoundingSet=CAP_SYS_ADMIN CAP_DAC_READ_SEARCH',
  ...['--property=NoNewPrivileges=yes', '--property=RestrictNamespaces=yes'],
  ...['--property=PrivateNetwork=yes', '--'],
];
const ENFORCES_USERS = 2;
/** The number of the system call. */
const QUOTACTL: Partial<Record<NodeJS.Architecture, number>> = { x64: 179, arm64: 60 };
const FILE_SYSTEMS = new Set(['ext4', 'xfs']);
/** A report has one line for each of several thousand users. */
const LIMITS = { timeoutMs: 60_000, maxOutputBytes: 16 * 1024 * 1024 };
const ASK_AGAIN_MS = 60_000;
/** Accounts query what is stored one after the other, and one report contains all of them. */
const STORED_FRESH_MS = 5_000;
const KIB = 1_024;
const HOMES = '/home';

/**
 * The user quota on the file system of the homes: how much a user may store there, by the owner of files. Concurrent
 * calls share one program.
 */
export class FileSystemQuota implements Traced {
  readonly #exec: Exec;
  readonly #limitOf = coalesce<number, number | undefined>((requests) => this.#readLimits(requests));
  readonly #set = coalesce<Limit, void>((requests) => this.#write(requests));
  #enforcing: Promise<Mount | undefined> | undefined;
  #stored: { readonly at: number; readonly bytes: Promise<ReadonlyMap<number, number>> } | undefined;

  constructor(exec: Exec) {
    this.#exec = exec;
  }

  /** Whether the file system enforces limits for users. Determined once. */
  async isEnforced(): Promise<boolean> {
    return (await this.#enforcingMount()) !== undefined;
  }

  /** Bytes; undefined where the user has no limit. */
  async limitOf(owner: Owner): Promise<number | undefined> {
    return await this.#limitOf(owner.uid);
  }

  /** `bytes` undefined: removes the limit. Files that are already stored stay, whatever the limit. */
  async setLimit(owner: Owner, bytes: number | undefined): Promise<void> {
    await this.#set({ uid: owner.uid, kib: bytes === undefined ? 0 : Math.ceil(bytes / KIB) });
  }

  /** Bytes by uid, as they count towards limits, at most some seconds old; undefined where they are not counted. */
  async stored(): Promise<ReadonlyMap<number, number> | undefined> {
    const mount = await this.#enforcingMount();
    if (mount === undefined) return undefined;
    const now = performance.now();
    if (this.#stored === undefined || now - this.#stored.at > STORED_FRESH_MS)
      this.#stored = { at: now, bytes: this.#storedNow(mount) };
    return await this.#stored.bytes;
  }

  async #storedNow(mount: Mount): Promise<ReadonlyMap<number, number>> {
    const report = await this.#report(mount);
    return new Map([...report].map(([uid, { stored }]) => [uid, stored]));
  }

  async #readLimits(requests: readonly Request<number, number | undefined>[]): Promise<void> {
    const report = await this.#report(await this.#requiredMount());
    for (const { input, resolve } of requests) resolve(report.get(input)?.limit);
  }

  async #report(mount: Mount): Promise<ReadonlyMap<number, Reported>> {
    const program = ['/usr/sbin/repquota', '-u', '-n', '-v', '-O', 'csv', mount.point];
    const { isEnforcing, stdout } = await this.#readState(mount, program);
    if (!isEnforcing)
      throw new HostError(
        'Failed',
        `User quotas on ${mount.point} are no longer enforced. Run: quotaon -u ${mount.point}`,
      );
    return parseReport(stdout);
  }

  async #write(requests: readonly Request<Limit, void>[]): Promise<void> {
    const { point } = await this.#requiredMount();
    const lines = requests.map(({ input: { uid, kib } }) => `${uid} 0 ${kib} 0 0\n`);
    await this.#exec.change(
      '/usr/bin/systemd-run',
      [...BY_SYSTEMD, '/usr/sbin/setquota', '-u', '-b', point],
      {
        ...LIMITS,
        input: lines.join(''),
      },
    );
    for (const { resolve } of requests) resolve();
  }

  async #requiredMount(): Promise<Mount> {
    const mount = await this.#enforcingMount();
    if (mount === undefined) throw new HostError('Failed', `${HOMES} has no quota of users.`);
    return mount;
  }

  /** If the state cannot be determined, no limit is enforced then, and the agent asks again after a while. */
  #enforcingMount(): Promise<Mount | undefined> {
    this.#enforcing ??= this.#findEnforcing().catch(() => {
      setTimeout(() => {
        this.#enforcing = undefined;
      }, ASK_AGAIN_MS).unref();
      return undefined;
    });
    return this.#enforcing;
  }

  async #findEnforcing(): Promise<Mount | undefined> {
    const mount = mountOf(HOMES, await readFile('/proc/1/mountinfo', 'utf8'));
    if (mount === undefined || !FILE_SYSTEMS.has(mount.fileSystem) || !existsSync('/usr/sbin/setquota'))
      return undefined;
    const { isEnforcing } = await this.#readState(mount, ['/usr/bin/true']);
    return isEnforcing ? mount : undefined;
  }

  /** Returns whether the kernel enforces quotas, and the output of the program that runs after the question. */
  async #readState(
    { device }: Mount,
    program: readonly string[],
  ): Promise<{ isEnforcing: boolean; stdout: string }> {
    const number = QUOTACTL[process.arch];
    if (number === undefined) throw new HostError('Failed', `Quotas are not supported on ${process.arch}.`);
    const argv = ['/usr/bin/perl', '-e', perl.quotaState, `${number}`, device, ...program];
    const { stdout } = await this.#exec.run('/usr/bin/systemd-run', [...BY_SYSTEMD, ...argv], LIMITS);
    const [, flags = '0', rest = ''] = /^flags (\d+)\n(.*)$/s.exec(stdout) ?? [];
    return { isEnforcing: (Number(flags) & ENFORCES_USERS) !== 0, stdout: rest };
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const isLeft = (await this.isEnforced()) && (await this.limitOf(owner)) !== undefined;
    return isLeft ? [left('disk limit', `${owner.uid}`)] : [];
  }
}

/** Blocks of users by uid, from a numeric CSV report: used blocks and the hard limit. */
export function parseReport(report: string): Map<number, Reported> {
  const reported = new Map<number, Reported>();
  for (const line of report.split('\n')) {
    const [, uid, stored, limit] = /^#?(\d+),[^,]*,[^,]*,(\d+),\d+,(\d+),/.exec(line) ?? [];
    if (uid === undefined) continue;
    reported.set(Number(uid), {
      stored: Number(stored) * KIB,
      limit: Number(limit) === 0 ? undefined : Number(limit) * KIB,
    });
  }
  return reported;
}

/** Returns the mount that contains a folder, from mountinfo of proc(5); undefined where none is listed. */
export function mountOf(folder: string, mountinfo: string): Mount | undefined {
  const mounts = mountinfo.split('\n').flatMap((line) => {
    const [, point, fileSystem, device] = /^\d+ \d+ \S+ \S+ (\S+) .* - (\S+) (\S+) /.exec(line) ?? [];
    return point === undefined || fileSystem === undefined || device === undefined
      ? []
      : [{ point, device, fileSystem }];
  });
  const holders = mounts.filter(
    ({ point }) => point === '/' || folder === point || folder.startsWith(`${point}/`),
  );
  const longest = Math.max(0, ...holders.map(({ point }) => point.length));
  return holders.findLast(({ point }) => point.length === longest);
}
