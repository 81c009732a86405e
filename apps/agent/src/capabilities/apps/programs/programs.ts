import { readFile, readlink, rm, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AccountChild } from '../../../node/account-child.ts';
import {
  ACCOUNT_CONFIG_MODE,
  removeAccountConfigs,
  writeAccountConfig,
} from '../../../node/account-config.ts';
import { APP_SOCKET_FOLDER, appSocketPath, currentLink } from '../../../node/app-paths.ts';
import type { Changes } from '../../../node/changes.ts';
import { ensureOpenFolder, syncFolder, unlinkIfThere } from '../../../node/durable-files.ts';
import type { Exec } from '../../../node/exec.ts';
import type { Systemd } from '../../../node/host.ts';
import { conflict } from '../../../node/host-error.ts';
import { listIfThere, statIfThere } from '../../../node/if-there.ts';
import { isOpenToNginx, prepareSocketFolder } from '../../../node/nginx-sockets.ts';
import type { ObserveAsUsers } from '../../../node/observe-as-users.ts';
import type { Owner } from '../../../node/owner.ts';
import { timeOf } from '../../../node/systemd.ts';
import { left, type Trace, type Traced } from '../../../node/trace.ts';
import { appFolderOf } from '../releases/app-files.ts';
import type { ProgramState, Programs } from './host.ts';
import { activityOf, isCurrent, readWord, type ServiceState } from './program-state.ts';
import {
  configFolder,
  configPath,
  KINDS,
  templatePath,
  unitFile,
  units,
  wantsFolder,
  wantsPath,
} from './program-units.ts';

const APPS = 'apps';
const LOG_TIMEOUT_MS = 3_000;

/**
 * Programs of apps: instances of `innkeeper-app-<uid>@.service` and `.socket`, which each account has as links to the
 * two files that the installer places. The uid is part of the unit's name, so systemd itself selects user and slice,
 * and a new unit needs no reload of all units. The start configuration is a file that root writes and the account's
 * group reads. Both units of an app are enabled by links, so the app starts at boot without the agent.
 */
export class AppPrograms implements Programs, Traced {
  readonly #child: AccountChild;
  readonly #observeAsUser: ObserveAsUsers;
  readonly #systemd: Systemd;
  readonly #changes: Changes;
  readonly #webGid: number;
  readonly #homes: string;

  constructor(
    exec: Exec,
    observe: ObserveAsUsers,
    systemd: Systemd,
    changes: Changes,
    webGid: number,
    homes = '/home',
  ) {
    this.#child = new AccountChild(exec);
    this.#observeAsUser = observe;
    this.#systemd = systemd;
    this.#changes = changes;
    this.#webGid = webGid;
    this.#homes = homes;
  }

  async observe(owner: Owner, appIds: readonly number[]): Promise<ProgramState[]> {
    const names = await listIfThere(configFolder(owner.uid));
    const known = names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
    return await Promise.all([...new Set([...appIds, ...known])].map((appId) => this.#observe(owner, appId)));
  }

  async hasUnits(owner: Owner): Promise<boolean> {
    const paths = [configFolder(owner.uid), ...KINDS.map((kind) => templatePath(owner.uid, kind))];
    return (await Promise.all(paths.map(statIfThere))).some((entry) => entry !== undefined);
  }

  async releases(owner: Owner, appIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const home = this.#home(owner);
    const apps = appIds.map((appId) => ({ appId, folder: appFolderOf(appId) }));
    const paths = [APPS, ...apps.flatMap(({ folder }) => [folder, currentLink(folder)])];
    const seen = await this.#observeAsUser({ uid: owner.uid, home, paths });
    const isFolder = (path: string) => seen.get(path)?.kind === 'folder';
    const releases = new Map<number, string>();
    for (const { appId, folder } of apps) {
      const target = seen.get(currentLink(folder))?.target ?? '';
      if (isFolder(APPS) && isFolder(folder) && target !== '')
        releases.set(appId, resolve(home, folder, target));
    }
    return releases;
  }

  async writeConfig(owner: Owner, appId: number, text: string): Promise<void> {
    await writeAccountConfig(configFolder(owner.uid), `${appId}`, text, owner.uid);
    this.#changes.record();
  }

  async removeConfig(owner: Owner, appId: number): Promise<void> {
    await rm(configPath(owner.uid, appId), { force: true });
    this.#changes.record();
  }

  async listen(owner: Owner, appId: number): Promise<void> {
    for (const kind of KINDS) {
      await this.#link(templatePath(owner.uid, kind), unitFile(kind));
      await this.#link(wantsPath(owner.uid, appId, kind), templatePath(owner.uid, kind));
    }
    const [socket, service] = units(owner.uid, appId);
    const [state, file] = await Promise.all([this.#systemd.state(socket), statIfThere(appSocketPath(appId))]);
    if (isOpenToNginx(state, file, this.#webGid)) return;
    await prepareSocketFolder(APP_SOCKET_FOLDER, this.#webGid, this.#systemd);
    // systemd does not open the socket of a running service.
    await this.#systemd.stop([socket, service]);
    await this.#systemd.resetFailed([socket, service]);
    await this.#systemd.start([socket]);
  }

  async start(owner: Owner, appId: number): Promise<void> {
    const [socket, service] = units(owner.uid, appId);
    await this.#systemd.stop([service]);
    await this.#systemd.resetFailed([socket, service]);
    await this.#systemd.startSoon([socket, service]);
  }

  async stopSoon(owner: Owner, appId: number): Promise<void> {
    await this.#disable(owner, appId);
    await this.#systemd.stopSoon(units(owner.uid, appId));
  }

  async end(owner: Owner, appId: number): Promise<void> {
    await this.#disable(owner, appId);
    const both = units(owner.uid, appId);
    await this.#systemd.kill(both[1]);
    await this.#systemd.stop(both);
    await this.#systemd.resetFailed(both);
    await this.#unlink(appSocketPath(appId));
  }

  async removeUnits(owner: Owner): Promise<void> {
    await removeAccountConfigs(configFolder(owner.uid));
    for (const kind of KINDS) await this.#unlink(templatePath(owner.uid, kind));
    this.#changes.record();
  }

  async log(owner: Owner, appId: number, bytes: number): Promise<string> {
    const paths = this.#logPaths(owner, appId).toReversed();
    const text = await this.#child.readEnds(owner.uid, paths, bytes, { timeoutMs: LOG_TIMEOUT_MS });
    return text.slice(-bytes);
  }

  async hasLog(owner: Owner, appId: number): Promise<boolean> {
    const seen = await this.#observeAsUser({
      uid: owner.uid,
      home: this.#home(owner),
      paths: logPaths(appId),
    });
    return seen.size > 0;
  }

  async removeLog(owner: Owner, appId: number): Promise<void> {
    await this.#child.remove(owner.uid, this.#logPaths(owner, appId));
  }

  async #unitsOf(owner: Owner): Promise<string[]> {
    const loaded = await this.#systemd.loaded(`innkeeper-app-${owner.uid}@*`);
    return [...loaded].filter(([, { active }]) => active !== 'inactive').map(([unit]) => unit);
  }

  async #filesOf(owner: Owner): Promise<string[]> {
    const { uid } = owner;
    const wants = await Promise.all(
      KINDS.map(async (kind) => {
        const folder = wantsFolder(kind);
        const names = await listIfThere(folder);
        return names
          .filter((name) => name.startsWith(`innkeeper-app-${uid}@`))
          .map((name) => `${folder}/${name}`);
      }),
    );
    const named = [configFolder(uid), ...KINDS.map((kind) => templatePath(uid, kind))];
    const present = await Promise.all(
      named.map(async (path) => ((await statIfThere(path)) === undefined ? [] : [path])),
    );
    return [...wants.flat(), ...present.flat()];
  }

  async #observe(owner: Owner, appId: number): Promise<ProgramState> {
    const [socketUnit, serviceUnit] = units(owner.uid, appId);
    const [socket, service, socketFile, config, ...links] = await Promise.all([
      this.#systemd.state(socketUnit),
      this.#service(serviceUnit),
      statIfThere(appSocketPath(appId)),
      this.#readConfig(owner, appId),
      ...KINDS.flatMap((kind) => [
        isLink(templatePath(owner.uid, kind), unitFile(kind)),
        isLink(wantsPath(owner.uid, appId, kind), templatePath(owner.uid, kind)),
      ]),
    ]);
    const wanted = await Promise.all(KINDS.map((kind) => statIfThere(wantsPath(owner.uid, appId, kind))));
    const listening = isOpenToNginx(socket, socketFile, this.#webGid);
    const activity = activityOf(service);
    const idle = activity === 'inactive' && socket.active === 'inactive';
    return {
      appId,
      config: config && { text: config.text, accessRight: config.accessRight },
      enabled: links.every(Boolean),
      listening,
      present: !idle || socketFile !== undefined || wanted.some((entry) => entry !== undefined),
      activity,
      current: isCurrent(service, config?.changedAtMs),
      readyAtMs: timeOf(service.readyAt),
      notListening: activity === 'running' ? readWord(service.word) : undefined,
    };
  }

  /** Also returns the start time of a service that is not inactive. */
  async #service(unit: string): Promise<ServiceState> {
    const state = await this.#systemd.state(unit);
    if (state.active === 'inactive') return { ...state, startedAt: 0, readyAt: 0, word: '' };
    const wanted = ['ExecMainStartTimestamp', 'ActiveEnterTimestamp', 'StatusText'];
    const shown = await this.#systemd.show(unit, wanted);
    return {
      ...state,
      startedAt: shown.ExecMainStartTimestamp,
      readyAt: shown.ActiveEnterTimestamp,
      word: `${shown.StatusText}`,
    };
  }

  #logPaths(owner: Owner, appId: number): string[] {
    return logPaths(appId).map((path) => `${this.#home(owner)}/${path}`);
  }

  #home(owner: Owner): string {
    return `${this.#homes}/${owner.name}`;
  }

  async #readConfig(
    owner: Owner,
    appId: number,
  ): Promise<{ text: string; accessRight: boolean; changedAtMs: number } | undefined> {
    const path = configPath(owner.uid, appId);
    const stats = await statIfThere(path);
    if (stats === undefined) return undefined;
    if (!stats.isFile()) throw conflict(`${path} is in the way: it is not a file.`);
    const { uid, gid, mode, mtimeMs } = stats;
    const accessRight = uid === 0 && gid === owner.uid && (mode & 0o7777) === ACCOUNT_CONFIG_MODE;
    return { text: await readFile(path, 'utf8'), accessRight, changedAtMs: mtimeMs };
  }

  async #link(path: string, target: string): Promise<void> {
    if (await isLink(path, target)) return;
    await this.#unlink(path);
    const folder = path.slice(0, path.lastIndexOf('/'));
    await ensureOpenFolder(folder);
    await symlink(target, path);
    await syncFolder(folder);
    this.#changes.record();
  }

  async #disable({ uid }: Owner, appId: number): Promise<void> {
    for (const kind of KINDS) await this.#unlink(wantsPath(uid, appId, kind));
  }

  async #unlink(path: string): Promise<void> {
    if (await unlinkIfThere(path)) this.#changes.record();
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const [units, files] = await Promise.all([this.#unitsOf(owner), this.#filesOf(owner)]);
    return [...units.map((unit) => left('unit', unit)), ...files.map((path) => left('configuration', path))];
  }
}

/** Newest first; paths below the home. */
function logPaths(appId: number): string[] {
  return [`logs/app-${appId}.log`, `logs/app-${appId}.log.1`];
}

async function isLink(path: string, target: string): Promise<boolean> {
  try {
    return (await readlink(path)) === target;
  } catch {
    return false;
  }
}
