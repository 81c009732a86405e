import { chmod, chown, mkdir, readFile, readlink, rmdir, stat, symlink } from 'node:fs/promises';
import type { Changes } from '../../node/changes.ts';
import {
  ensureOpenFolder,
  OWNERSHIP_HEADER,
  replaceFile,
  syncFolder,
  unlinkIfThere,
} from '../../node/durable-files.ts';
import type { Systemd, UnitState } from '../../node/host.ts';
import { conflict } from '../../node/host-error.ts';
import { ifThere, statIfThere } from '../../node/if-there.ts';
import { isOpenToNginx, prepareSocketFolder } from '../../node/nginx-sockets.ts';
import type { Owner } from '../../node/owner.ts';
import { startedAfter } from '../../node/systemd.ts';
import { leftFiles, leftUnits, type Trace, type Traced } from '../../node/trace.ts';
import type { Php, PhpFile, PhpService, PhpState, PhpTexts } from './host.ts';
import { NO_SETTINGS } from './site-settings-ini.ts';

/**
 * One FPM master for each account: /etc/innkeeper/php/<uid>.conf, /etc/innkeeper/php/<uid>.d/sites.ini if a site has
 * settings, and instances of the template units innkeeper-php@.socket and .service. The socket is enabled by a link. So a site starts at boot without the agent, and
 * this class never reloads all units.
 */
const CONFIG_FOLDER = '/etc/innkeeper/php';
const SOCKET_FOLDER = '/run/innkeeper/php';
const WANTS_FOLDER = '/etc/systemd/system/sockets.target.wants';
const SOCKET_TEMPLATE = '/etc/systemd/system/innkeeper-php@.socket';
const CONFIG_MODE = 0o640;
const FOLDER_MODE = 0o750;
/** State of units without any file: a query would make systemd load them. */
const NOT_THERE: UnitState = { active: 'inactive', sub: 'dead', hasJob: false };
const RUNNING = new Set(['active', 'activating', 'reloading', 'deactivating']);

export class PhpFpm implements Php, Traced {
  readonly #systemd: Systemd;
  readonly #changes: Changes;
  readonly #webGid: number;

  constructor(systemd: Systemd, changes: Changes, webGid: number) {
    this.#systemd = systemd;
    this.#changes = changes;
    this.#webGid = webGid;
  }

  async observe(owner: Owner): Promise<PhpState> {
    const [socketFile, enabled, config, sites] = await Promise.all([
      statIfThere(socketPath(owner.uid)),
      this.#isEnabled(owner.uid),
      readOurs(configPath(owner.uid), owner),
      readOurs(sitesPath(owner.uid), owner),
    ]);
    const hasFiles = enabled || socketFile !== undefined || config !== undefined;
    const [socket, service] = hasFiles ? await this.#states(owner.uid) : [NOT_THERE, NOT_THERE];
    const running = RUNNING.has(service.active);
    const socketActive = socket.active === 'active' || socket.active === 'failed';
    return {
      config,
      sites,
      enabled,
      listening: isOpenToNginx(socket, socketFile, this.#webGid),
      present: enabled || socketActive || running || socketFile !== undefined,
      up: running || RUNNING.has(socket.active),
      current: running ? await this.#hasRead(owner.uid, newest(config, sites)) : undefined,
    };
  }

  async writeConfig(owner: Owner, { pool, sites }: PhpTexts): Promise<void> {
    const { uid } = owner;
    const access = { mode: CONFIG_MODE, gid: uid };
    const [oldPool, oldSites] = await Promise.all([
      readOurs(configPath(uid), owner),
      readOurs(sitesPath(uid), owner),
    ]);
    if (oldPool?.foreign === true) throw conflict(foreignMessage(configPath(uid)));
    if (oldSites?.foreign === true) throw conflict(foreignMessage(sitesPath(uid)));
    if (sites !== null || oldSites !== undefined) {
      await mkdir(sitesFolder(uid), { recursive: true, mode: 0o700 });
      await chown(sitesFolder(uid), 0, uid);
      await chmod(sitesFolder(uid), FOLDER_MODE);
      await replaceFile(sitesPath(uid), sites ?? NO_SETTINGS, access);
    }
    await replaceFile(configPath(uid), pool, access);
    this.#changes.record();
  }

  async removeConfig(owner: Owner): Promise<void> {
    const { uid } = owner;
    for (const path of [configPath(uid), sitesPath(uid)])
      if ((await readOurs(path, owner))?.foreign === false) await this.#unlink(path);
    await removeIfEmpty(sitesFolder(uid));
  }

  async enable(owner: Owner): Promise<void> {
    await this.disable(owner);
    await ensureOpenFolder(WANTS_FOLDER);
    await symlink(SOCKET_TEMPLATE, wantsPath(owner.uid));
    await syncFolder(WANTS_FOLDER);
    this.#changes.record();
  }

  async disable(owner: Owner): Promise<void> {
    await this.#unlink(wantsPath(owner.uid));
  }

  async listen(owner: Owner): Promise<void> {
    await prepareSocketFolder(SOCKET_FOLDER, this.#webGid, this.#systemd);
    await this.#systemd.start([socketUnit(owner.uid)]);
  }

  async close(owner: Owner): Promise<void> {
    await this.#systemd.stop([socketUnit(owner.uid), serviceUnit(owner.uid)]);
  }

  async retire(owner: Owner): Promise<void> {
    await this.#systemd.stop([serviceUnit(owner.uid)]);
  }

  async stop(owner: Owner): Promise<void> {
    await this.#systemd.kill(serviceUnit(owner.uid));
    await this.#systemd.stop([socketUnit(owner.uid), serviceUnit(owner.uid)]);
    await this.#unlink(socketPath(owner.uid));
  }

  async services(): Promise<PhpService[]> {
    const loaded = await this.#systemd.loaded('innkeeper-php@*.service');
    const running = [...loaded].filter(([, { active }]) => active === 'active').map(([unit]) => unit);
    const found = await Promise.all(
      running.map(async (unit) => {
        const { StatusText } = await this.#systemd.show(unit, ['StatusText']);
        const uid = Number(/^innkeeper-php@(\d+)\.service$/.exec(unit)?.[1]);
        const [, active, requests] =
          /^Processes active: (\d+), .*Requests: (\d+),/.exec(`${StatusText}`) ?? [];
        if (Number.isNaN(uid) || active === undefined) return [];
        return [{ uid, active: Number(active), requests: Number(requests) }];
      }),
    );
    return found.flat();
  }

  async #states(uid: number): Promise<[socket: UnitState, service: UnitState]> {
    return await Promise.all([this.#systemd.state(socketUnit(uid)), this.#systemd.state(serviceUnit(uid))]);
  }

  /** Whether the service started after its configuration was written. */
  async #hasRead(uid: number, changedAtMs: number | undefined): Promise<boolean> {
    const { ExecMainStartTimestamp } = await this.#systemd.show(serviceUnit(uid), ['ExecMainStartTimestamp']);
    return startedAfter(ExecMainStartTimestamp, changedAtMs);
  }

  async #isEnabled(uid: number): Promise<boolean> {
    try {
      return (await readlink(wantsPath(uid))) === SOCKET_TEMPLATE;
    } catch {
      return false;
    }
  }

  async #unlink(path: string): Promise<void> {
    if (await unlinkIfThere(path)) this.#changes.record();
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const { uid } = owner;
    const files = await Promise.all(
      [configPath(uid), sitesPath(uid)].map(async (path) => ({ path, file: await readOurs(path, owner) })),
    );
    const ours = files.flatMap(({ path, file }) => (file?.foreign === false ? [path] : []));
    return [
      ...(await leftFiles([...ours, socketPath(uid), wantsPath(uid)])),
      ...(await leftUnits(this.#systemd, [socketUnit(uid), serviceUnit(uid)])),
    ];
  }
}

function configPath(uid: number): string {
  return `${CONFIG_FOLDER}/${uid}.conf`;
}

function sitesFolder(uid: number): string {
  return `${CONFIG_FOLDER}/${uid}.d`;
}

/** `PHP_INI_SCAN_DIR` of innkeeper-php@.service has its folder. */
function sitesPath(uid: number): string {
  return `${sitesFolder(uid)}/sites.ini`;
}

/** A folder with a file of somebody else stays. */
async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

interface ReadFile extends PhpFile {
  readonly changedAtMs: number;
}

async function readOurs(path: string, owner: Owner): Promise<ReadFile | undefined> {
  const read = await ifThere(Promise.all([readFile(path, 'utf8'), stat(path)]));
  if (read === undefined) return undefined;
  const [text, { uid, gid, mode, mtimeMs }] = read;
  const foreign = !text.split('\n', 1)[0]!.includes(OWNERSHIP_HEADER);
  const accessRight = uid === 0 && gid === owner.uid && (mode & 0o7777) === CONFIG_MODE;
  return { text, accessRight, foreign, changedAtMs: mtimeMs };
}

/** Time of the last change of some files, in milliseconds. Undefined if none is there. */
function newest(...files: readonly (ReadFile | undefined)[]): number | undefined {
  const times = files.flatMap((file) => (file === undefined ? [] : [file.changedAtMs]));
  return times.length === 0 ? undefined : Math.max(...times);
}

export function socketPath(uid: number): string {
  return `${SOCKET_FOLDER}/${uid}.sock`;
}

function socketUnit(uid: number): string {
  return `innkeeper-php@${uid}.socket`;
}

function serviceUnit(uid: number): string {
  return `innkeeper-php@${uid}.service`;
}

function wantsPath(uid: number): string {
  return `${WANTS_FOLDER}/${socketUnit(uid)}`;
}

function foreignMessage(path: string): string {
  return `${path} is not Innkeeper's: it lacks the header "${OWNERSHIP_HEADER}".`;
}
