import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountChild } from '../../node/account-child.ts';
import type { Changes } from '../../node/changes.ts';
import type { Exec } from '../../node/exec.ts';
import { HostError } from '../../node/host-error.ts';
import { ifThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { RootFolder, trashOf } from '../../node/root-folder.ts';
import { stepSignal } from '../../node/step-signal.ts';
import { TMP_FOLDERS, tmpPlaces } from '../../node/tmp-folders.ts';
import { existing, harmless, left, removable, type Trace, type Traced } from '../../node/trace.ts';
import { CERTIFICATE_FILE } from '../certificates/host.ts';
import type { Remains } from './host.ts';

/**
 * Proves that an account is gone: one scan of every place that could contain something of it. The capabilities find
 * what the drivers before should have removed; this class only reports it. Everything that belongs to no capability
 * (files in shared folders, crontabs, IPC objects) is found and removed here. In folders that others can write to, the
 * removal runs as the user only. In spools it runs like RootFolder.
 *
 * A file in a shared folder that the user cannot remove is in a folder of somebody else, or contains something of
 * somebody else. It is reported, but does not keep the account from being absent: its uid is never used again
 * (docs/design/host-security.md).
 */
const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run', '/run/lock', '/run/user'];
/** Scanned without their subfolders: system users write to these, accounts do not. */
const SPOOLS = [
  '/var/spool/cron/crontabs',
  '/var/spool/cron/atjobs',
  '/var/spool/cron/atspool',
  '/var/spool/at',
  '/var/mail',
  '/var/lib/systemd/linger',
];
const LOGIN_RECORD = 'login record';
/** logind's folder for a user's sockets. It stays when its unit fails while it stops. */
const RUNTIME_FOLDER = 'runtime folder';
const LOGIN_END_MS = 5_000;
/** Timeout for a scan of all files in shared folders and their owners, ms. */
const SCAN_TIMEOUT_MS = 20_000;
const IPC = ['shm', 'sem', 'msg'] as const;

export class RemainsOnNode implements Remains {
  readonly #exec: Exec;
  readonly #changes: Changes;
  readonly #capabilities: readonly Traced[];
  /** Uids whose files in shared folders were removed, as far as the user can. */
  readonly #swept = new Set<number>();
  readonly #child: AccountChild;

  /** `capabilities`: each finds its own traces. */
  constructor(exec: Exec, changes: Changes, capabilities: readonly Traced[]) {
    this.#exec = exec;
    this.#changes = changes;
    this.#capabilities = capabilities;
    this.#child = new AccountChild(exec);
  }

  async scan(owner: Owner): Promise<Trace[]> {
    const found = await Promise.all([
      ...this.#capabilities.map((capability) => capability.traces(owner)),
      this.#namedFiles(owner),
      this.#ownedFiles(owner),
      ipcObjects(owner),
    ]);
    return found.flat();
  }

  async remove(owner: Owner, trace: Trace): Promise<void> {
    if (trace.kind === 'shared file') {
      await this.#child.removeOwn(owner.uid, trace.what);
      this.#swept.add(owner.uid);
    } else if (trace.kind === 'file') {
      await this.#removeFile(owner, trace.what);
    } else if (trace.kind === 'session tmp') {
      await this.#removeTmp(owner, trace.what);
    } else if (trace.kind === CERTIFICATE_FILE) {
      await RootFolder.within(dirname(trace.what), (folder) => folder.unlink(basename(trace.what)));
      this.#changes.record();
    } else if (trace.kind === RUNTIME_FOLDER) {
      await RootFolder.within(dirname(trace.what), (folder) => folder.removeEmpty(basename(trace.what)));
      this.#changes.record();
    } else if (trace.kind === LOGIN_RECORD) {
      await this.#endLogin(owner, trace.what);
    } else if (IPC.some((kind) => kind === trace.kind)) {
      const kind = trace.kind as (typeof IPC)[number];
      // Runs as the owner: root needs CAP_SYS_ADMIN for this, and the agent does not have it.
      await this.#child.removeIpc(owner.uid, kind, trace.what);
    } else throw new HostError('Failed', `${trace.kind} ${trace.what} is still there.`);
  }

  /** logind removes a user shortly after the last process of its sessions is gone. */
  async #endLogin({ uid }: Owner, record: string): Promise<void> {
    await this.#exec.change('/usr/bin/loginctl', ['terminate-user', `${uid}`], { accept: [0, 1] });
    const deadline = performance.now() + LOGIN_END_MS;
    while ((await existing([record])).length > 0) {
      if (performance.now() > deadline)
        throw new HostError('Failed', `logind still holds ${record}.`, { retryable: true });
      await delay(20, undefined, { signal: stepSignal() });
    }
  }

  /**
   * Removes an entry of a spool: root removes it if it is still a file of the account. Files below it are removed as
   * the user, and so is everything in a spool that accounts can write to.
   */
  async #removeFile(owner: Owner, path: string): Promise<void> {
    const name = basename(path);
    const unlink = async (spool: RootFolder) => {
      const entry = await spool.entry(name);
      const isTheirs = entry?.uid === owner.uid || name === owner.name;
      return isTheirs && entry?.isDirectory() === false && (await spool.unlink(name));
    };
    const removed = await RootFolder.within(dirname(path), unlink, 'spool').catch((error: unknown) => {
      if (error instanceof HostError && error.reason === 'Conflict') return false;
      throw error;
    });
    if (removed === true) this.#changes.record();
    else await this.#child.removeOwn(owner.uid, path);
  }

  /** Empties the folder as the user, as far as possible. The rest goes into the trash beside it. */
  async #removeTmp(owner: Owner, path: string): Promise<void> {
    const base = TMP_FOLDERS.find((folder) => path.startsWith(`${folder}/`));
    if (base === undefined) throw new HostError('Refused', `${path} is no /tmp of an account.`);
    const own = tmpPlaces(owner).find((place) => dirname(place) === base)!;
    const name = basename(own);
    await RootFolder.within(base, async (instances) => {
      if ((await instances.entry(name)) !== undefined) {
        await this.#child.emptyWithin(owner.uid, own);
        if (!(await instances.removeEmpty(name))) await instances.trash(name, owner.uid);
      }
      await instances.emptyTrash(owner.uid);
      this.#changes.record();
    });
  }

  /** Files whose name contains their owner. */
  async #namedFiles(owner: Owner): Promise<Trace[]> {
    const { name, uid } = owner;
    const byName = [
      `/var/spool/cron/crontabs/${name}`,
      `/var/mail/${name}`,
      `/var/lib/systemd/linger/${name}`,
    ];
    const [spooled, instances, trash, sessions, runtime] = await Promise.all([
      existing(byName),
      existing(tmpPlaces(owner)),
      Promise.all(TMP_FOLDERS.map((folder) => trashOf(folder, uid))),
      existing([`/run/systemd/users/${uid}`]),
      existing([`/run/user/${uid}`]),
    ]);
    return [
      ...spooled.map((path) => removable('file', path)),
      ...[...instances, ...trash.flat()].map((path) => removable('session tmp', path)),
      ...sessions.map((path) => removable(LOGIN_RECORD, path)),
      ...runtime.map((path) => removable(RUNTIME_FOLDER, path)),
    ];
  }

  async #ownedFiles({ name, uid }: Owner): Promise<Trace[]> {
    const [shared, spooled, homes] = await Promise.all([
      this.#find(SHARED_FOLDERS, uid, []),
      this.#find(SPOOLS, uid, ['-mindepth', '1', '-maxdepth', '1']),
      this.#find(['/home'], uid, ['-maxdepth', '1']),
    ]);
    const isSwept = this.#swept.has(uid);
    if (shared.length === 0) this.#swept.delete(uid);
    return [
      ...shared.map((path) => (isSwept ? harmless('shared file', path) : removable('shared file', path))),
      ...spooled.filter((path) => !path.endsWith(`/${name}`)).map((path) => removable('file', path)),
      ...homes.map((path) => left('home', path)),
    ];
  }

  /**
   * Returns what was found before the timeout: folders that others have filled do not block the removal of an account.
   */
  async #find(folders: readonly string[], uid: number, options: readonly string[]): Promise<string[]> {
    const args = [...(await existing(folders)), '-xdev', ...options, '-uid', `${uid}`, '-prune', '-print0'];
    const limits = { timeoutMs: SCAN_TIMEOUT_MS };
    const { exitCode, wasCutOff, stdout } = await this.#exec.attempt('/usr/bin/find', args, limits);
    // Exit code 1: a file disappeared during the scan.
    if (exitCode !== 0 && exitCode !== 1 && !wasCutOff)
      throw new HostError('Failed', 'Shared folders could not be searched.');
    return stdout.split('\0').slice(0, -1);
  }
}

/** System V IPC objects from the kernel's table: the id is the second column; the headings name owner and creator. */
async function ipcObjects({ uid }: Owner): Promise<Trace[]> {
  const found = await Promise.all(
    IPC.map(async (kind) => {
      const [heading = '', ...rows] = (
        (await ifThere(readFile(`/proc/sysvipc/${kind}`, 'latin1'))) ?? ''
      ).split('\n');
      const columns = heading.trim().split(/\s+/);
      const [owner, creator] = ['uid', 'cuid'].map((column) => columns.indexOf(column));
      return rows
        .map((row) => row.trim().split(/\s+/))
        .filter((row) => row[owner!] === `${uid}` || row[creator!] === `${uid}`)
        .map((row) => removable(kind, row[1]!));
    }),
  );
  return found.flat();
}
