import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountChild } from '../../node/account-child.ts';
import type { Changes } from '../../node/changes.ts';
import type { Exec } from '../../node/exec.ts';
import type { Cgroups, Systemd } from '../../node/host.ts';
import { HostError } from '../../node/host-error.ts';
import { ifThere, listIfThere, statIfThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { assertOwner } from '../../node/owner.ts';
import { RootFolder, trashOf } from '../../node/root-folder.ts';
import { stepSignal } from '../../node/step-signal.ts';
import { TMP_FOLDERS, tmpPlaces } from '../../node/tmp-folders.ts';
import type { Programs } from '../apps/programs/host.ts';
import type { AppRecords } from '../apps/releases/host.ts';
import type { Tasks } from '../apps/task/host.ts';
import type { Certificates } from '../certificates/host.ts';
import { cronCommandsPath, cronTablePath } from '../cron/cron.ts';
import type { Cron } from '../cron/host.ts';
import type { Databases } from '../databases/host.ts';
import type { DiskQuota } from '../disk/host.ts';
import type { Firewall } from '../firewall/host.ts';
import type { Homes } from '../home/host.ts';
import type { Php } from '../php/host.ts';
import { configPath, serviceUnit, socketPath, socketUnit, wantsPath } from '../php/php.ts';
import type { Processes } from '../slice/host.ts';
import type { Traffic } from '../traffic/host.ts';
import type { AccountDatabase } from '../user/host.ts';
import type { WebServer } from '../web/host.ts';
import type { Remains, Trace } from './host.ts';

/**
 * The proof that an account is gone: one look at every place where something of it could be. What the
 * drivers before should have taken away is only named. What belongs to nobody else's duty (files in
 * shared folders, crontabs, IPC objects) can be removed here: in folders where others may write as the user alone, in
 * spools as RootFolder does it.
 *
 * What the user cannot remove from a shared folder lies in a folder of somebody else's, or has something of somebody
 * else's in it. It is told, and keeps no account from being absent: nobody gets its uid again
 * (docs/design/host-security.md).
 */
const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run', '/run/lock', '/run/user'];
/** Looked at without the folders in them: users of the system write to these, no account does. */
const SPOOLS = [
  '/var/spool/cron/crontabs',
  '/var/spool/cron/atjobs',
  '/var/spool/cron/atspool',
  '/var/spool/at',
  '/var/mail',
  '/var/lib/systemd/linger',
];
const CONTROL_FOLDERS = [
  '/etc/systemd/system.control',
  '/run/systemd/system.control',
  '/run/systemd/transient',
];
const LOGIN_RECORD = 'login record';
const CERTIFICATE_FILE = 'certificate file';
const LOGIN_END_MS = 5_000;
/** For a look at all that lies in shared folders, and whose. */
const LOOK_TIMEOUT_MS = 20_000;
const IPC = ['shm', 'sem', 'msg'] as const;

export interface RemainsTools {
  readonly exec: Exec;
  readonly changes: Changes;
  readonly accounts: AccountDatabase;
  readonly appRecords: AppRecords;
  readonly certificates: Certificates;
  readonly cgroups: Cgroups;
  readonly cron: Cron;
  readonly databases: Databases;
  readonly firewall: Firewall;
  readonly homes: Homes;
  readonly php: Php;
  readonly processes: Processes;
  readonly programs: Programs;
  readonly quota: DiskQuota;
  readonly systemd: Systemd;
  readonly tasks: Tasks;
  readonly traffic: Traffic;
  readonly web: WebServer;
}

export class RemainsOnNode implements Remains {
  readonly #tools: RemainsTools;
  /** Uids whose files in shared folders were removed as far as the user can. */
  readonly #swept = new Set<number>();
  readonly #child: AccountChild;

  constructor(tools: RemainsTools) {
    this.#tools = tools;
    this.#child = new AccountChild(tools.exec);
  }

  async scan(owner: Owner): Promise<Trace[]> {
    assertOwner(owner);
    const found = await Promise.all([
      this.#entries(owner),
      this.#home(owner),
      this.#processes(owner),
      this.#units(owner),
      this.#sites(owner),
      this.#databases(owner),
      this.#apps(owner),
      this.#certificates(owner),
      this.#traffic(owner),
      this.#quota(owner),
      this.#smtp(owner),
      this.#namedFiles(owner),
      this.#ownedFiles(owner),
      ipcObjects(owner),
    ]);
    return found.flat();
  }

  async remove(owner: Owner, trace: Trace): Promise<void> {
    assertOwner(owner);
    if (trace.kind === 'shared file') {
      await this.#child.removeOwn(owner.uid, trace.what);
      this.#swept.add(owner.uid);
    } else if (trace.kind === 'file') {
      await this.#removeFile(owner, trace.what);
    } else if (trace.kind === 'session tmp') {
      await this.#removeTmp(owner, trace.what);
    } else if (trace.kind === CERTIFICATE_FILE) {
      await RootFolder.within(dirname(trace.what), (folder) => folder.unlink(basename(trace.what)));
      this.#tools.changes.record();
    } else if (trace.kind === LOGIN_RECORD) {
      await this.#endLogin(owner, trace.what);
    } else if (IPC.some((kind) => kind === trace.kind)) {
      const kind = trace.kind as (typeof IPC)[number];
      // As the owner: root may only with CAP_SYS_ADMIN, which the agent does not have.
      await this.#child.removeIpc(owner.uid, kind, trace.what);
    } else throw new HostError('Failed', `${trace.kind} ${trace.what} is still there.`);
  }

  /** logind forgets a user a moment after the last process of its sessions is gone. */
  async #endLogin({ uid }: Owner, record: string): Promise<void> {
    await this.#tools.exec.change('/usr/bin/loginctl', ['terminate-user', `${uid}`], { accept: [0, 1] });
    const deadline = performance.now() + LOGIN_END_MS;
    while ((await existing([record])).length > 0) {
      if (performance.now() > deadline)
        throw new HostError('Failed', `logind still holds ${record}.`, { retryable: true });
      await delay(20, undefined, { signal: stepSignal() });
    }
  }

  /**
   * An entry of a spool: root's to remove, if it still is what it was. What the user has below it goes as the user, and
   * all of a spool that is open to accounts.
   */
  async #removeFile(owner: Owner, path: string): Promise<void> {
    const { changes } = this.#tools;
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
    if (removed === true) changes.record();
    else await this.#child.removeOwn(owner.uid, path);
  }

  /** Emptied as the user as far as that goes; what stays goes into the trash beside it. */
  async #removeTmp(owner: Owner, path: string): Promise<void> {
    const { changes } = this.#tools;
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
      changes.record();
    });
  }

  async #entries(owner: Owner): Promise<Trace[]> {
    const entries = await this.#tools.accounts.find(owner);
    const subordinate = await Promise.all(
      ['/etc/subuid', '/etc/subgid'].map(async (path) =>
        ((await ifThere(readFile(path, 'latin1'))) ?? '')
          .split('\n')
          .some((line) => line.startsWith(`${owner.name}:`))
          ? [path]
          : [],
      ),
    );
    return [
      ...entries.passwd.map((entry) => left('user', entry.name)),
      ...entries.groups.map((entry) => left('group', entry.name)),
      ...entries.memberOf.map((group) => left('membership', group)),
      ...(entries.shadow === undefined ? [] : [left('shadow entry', owner.name)]),
      ...(entries.hasGroupShadow ? [left('gshadow entry', owner.name)] : []),
      ...subordinate.flat().map((path) => left('subordinate ids', path)),
    ];
  }

  async #home(owner: Owner): Promise<Trace[]> {
    const { kind, leftovers } = await this.#tools.homes.observe(owner);
    const home = kind === 'ours' ? [left('home', owner.name)] : [];
    return [...home, ...leftovers.map((path) => left('home', path))];
  }

  async #processes(owner: Owner): Promise<Trace[]> {
    const pids = await this.#tools.processes.of(owner.uid);
    return pids.map((pid) => left('process', `${pid}`));
  }

  async #units(owner: Owner): Promise<Trace[]> {
    const { uid } = owner;
    const slice = `user-${uid}.slice`;
    const units = [
      slice,
      socketUnit(uid),
      serviceUnit(uid),
      `user@${uid}.service`,
      `user-runtime-dir@${uid}.service`,
    ];
    const active = await Promise.all(
      units.map(async (unit) => {
        const { ActiveState = '' } = await this.#tools.systemd.show(unit, ['ActiveState']);
        return ActiveState === 'inactive' ? [] : [left('unit', `${unit} (${ActiveState})`)];
      }),
    );
    const control = await Promise.all(
      CONTROL_FOLDERS.map(async (folder) =>
        (await listIfThere(folder))
          .filter((name) => name.startsWith(slice) || name.includes(`@${uid}.`))
          .map((name) => left('unit settings', `${folder}/${name}`)),
      ),
    );
    const programs = await this.#tools.programs.unitsOf(owner);
    const cgroup = (await this.#tools.cgroups.exists(uid)) ? [left('cgroup', slice)] : [];
    return [...active.flat(), ...programs.map((unit) => left('unit', unit)), ...control.flat(), ...cgroup];
  }

  async #sites(owner: Owner): Promise<Trace[]> {
    const { sites } = await this.#tools.web.observe(owner);
    return sites.map((site) => left('site', site.name));
  }

  async #databases(owner: Owner): Promise<Trace[]> {
    const claimed = await this.#tools.databases.claimedBy(owner);
    return claimed.map((name) => left('database', name));
  }

  async #apps(owner: Owner): Promise<Trace[]> {
    const { appRecords, tasks } = this.#tools;
    const [records, units] = await Promise.all([appRecords.of(owner), tasks.ofAccount(owner)]);
    return [
      ...records.map(({ appId }) => left('record of app', `${appId}`)),
      ...units.map((unit) => left('unit', unit)),
    ];
  }

  /** What is known of its domains, and files that nothing knows of any more. */
  async #certificates(owner: Owner): Promise<Trace[]> {
    const { certificates } = this.#tools;
    const [known, files] = await Promise.all([certificates.observe(owner), certificates.leftovers(owner)]);
    return [
      ...known.map(({ name }) => left('certificate', name)),
      ...(known.length === 0 ? files : []).map((path) => removable(CERTIFICATE_FILE, path)),
    ];
  }

  #traffic(owner: Owner): Trace[] {
    return this.#tools.traffic.knows(owner) ? [left('bandwidth total', owner.name)] : [];
  }

  async #quota(owner: Owner): Promise<Trace[]> {
    const { quota } = this.#tools;
    const isLeft = (await quota.isEnforced()) && (await quota.limitOf(owner)) !== undefined;
    return isLeft ? [left('disk limit', `${owner.uid}`)] : [];
  }

  async #smtp(owner: Owner): Promise<Trace[]> {
    const isOpen = await this.#tools.firewall.smtpIsOpen(owner);
    return isOpen === false ? [] : [left('open port 25', `${owner.uid}`)];
  }

  /** Files whose name says whose they are. */
  async #namedFiles(owner: Owner): Promise<Trace[]> {
    const { name, uid } = owner;
    const { config } = await this.#tools.php.observe(owner);
    const configs = config === undefined || config.foreign ? [] : [configPath(uid)];
    const { table } = await this.#tools.cron.observe(owner);
    const tables = table === undefined || table.foreign ? [] : [cronTablePath(uid)];
    const ours = [...configs, ...tables, cronCommandsPath(uid), socketPath(uid), wantsPath(uid)];
    const byName = [
      `/var/spool/cron/crontabs/${name}`,
      `/var/mail/${name}`,
      `/var/lib/systemd/linger/${name}`,
    ];
    const programs = await this.#tools.programs.filesOf(owner);
    const [made, spooled, instances, trash, sessions] = await Promise.all([
      existing(ours),
      existing(byName),
      existing(tmpPlaces(owner)),
      Promise.all(TMP_FOLDERS.map((folder) => trashOf(folder, uid))),
      existing([`/run/systemd/users/${uid}`]),
    ]);
    return [
      ...programs.map((path) => left('configuration', path)),
      ...made.map((path) => left('configuration', path)),
      ...spooled.map((path) => removable('file', path)),
      ...[...instances, ...trash.flat()].map((path) => removable('session tmp', path)),
      ...sessions.map((path) => removable(LOGIN_RECORD, path)),
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

  /** What it found in time: folders that others have filled keep nobody's account from being removed. */
  async #find(folders: readonly string[], uid: number, options: readonly string[]): Promise<string[]> {
    const args = [...(await existing(folders)), '-xdev', ...options, '-uid', `${uid}`, '-prune', '-print0'];
    const limits = { timeoutMs: LOOK_TIMEOUT_MS };
    const { exitCode, wasCutOff, stdout } = await this.#tools.exec.attempt('/usr/bin/find', args, limits);
    // 1: something vanished while find looked.
    if (exitCode !== 0 && exitCode !== 1 && !wasCutOff)
      throw new HostError('Failed', 'Shared folders could not be searched.');
    return stdout.split('\0').slice(0, -1);
  }
}

function left(kind: string, what: string): Trace {
  return { kind, what, removable: false };
}

function removable(kind: string, what: string): Trace {
  return { kind, what, removable: true };
}

/** With somebody else, where nothing of the account can act. */
function harmless(kind: string, what: string): Trace {
  return { kind, what, removable: false, harmless: true };
}

/** System V objects, by the table of the kernel: the id is the second column, owner and creator have headings. */
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

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => ((await statIfThere(path)) === undefined ? [] : [path])),
  );
  return found.flat();
}
