import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Boxes } from '../boxes/box-fleet.ts';
import { inspectBoxes, openBoxes } from '../boxes/box-fleet.ts';
import { ensureRootfs } from '../boxes/box-rootfs.ts';
import { withFileLock } from '../processes/file-lock.ts';
import { mountStateDir, type StateDir, stateDirOf, unmountStateDir } from '../processes/state-dir.ts';
import { startMariadb, stopMariadb } from '../servers/mariadb.ts';
import { stopMysql } from '../servers/mysql.ts';
import { startNats, stopNats } from '../servers/nats-server.ts';
import { stopLastingRegistry } from '../servers/npm-registry-daemon.ts';
import { stopPebbles } from '../servers/pebble.ts';
import type { VirtualMachineSystem } from '../virtual-machine/virtual-machine-image.ts';
import { openVirtualMachines, type VirtualMachines } from '../virtual-machine/virtual-machines.ts';
import { type ApiProcess, createApiProcess } from './api-process.ts';
import { ensureAdmin, ensurePackages, ensureToken, type PackageRecord } from './first-records.ts';
import { addHostingServer, type HostingServer, type VirtualServer } from './hosting-server.ts';
import { createInnctl, type Innctl, requireInnctl } from './innctl.ts';
import { choosePorts, type InstallationPorts } from './ports.ts';
import { DIST_LOCK, placePrograms, requireBundles } from './programs.ts';
import { ensureSystemUser, SYSTEM_USER, writeSettings } from './settings.ts';
import { createSteps, type RunStep } from './steps.ts';

export interface InstallationOptions {
  /** Folder with the complete state of the installation. */
  stateDir: string;
  /** Requested ports. Free ports are chosen for the missing ones. */
  ports?: Partial<InstallationPorts>;
  /** Trades durability for speed, and allows the database user to create databases. */
  forTests?: boolean;
  /** Requests per minute and user. 0: not limited, as in tests. Default: the API's default. */
  rateLimit?: number | undefined;
  /** Runs the steps. Default: steps are logged in `<state>/log` and not shown. */
  step?: RunStep;
}

/**
 * A complete control plane from this checkout's bundles, with its own MariaDB and NATS, and with boxes as hosting
 * servers. It keeps running after the process that started it has ended.
 */
export interface Installation {
  state: StateDir;
  ports: InstallationPorts;
  /** `http://127.0.0.1:port/api/v1` */
  baseUrl: string;
  /** A token of the admin with every ability. */
  token: string;
  /** The packages that are offered to customers, without the internal custom package. */
  packages: PackageRecord[];
  boxes: Boxes;
  virtualMachines: VirtualMachines;
  apiLogFile: string;
  innctl: Innctl;
  startApi(): Promise<void>;
  /** Stops the API after it has finished its requests. */
  stopApi(): Promise<void>;
  /** Sends a signal and waits until the process has ended. */
  killApi(signal: NodeJS.Signals): Promise<void>;
  startNats(): Promise<void>;
  stopNats(): Promise<void>;
  /** Makes the box `name` a hosting server, or returns the existing one. */
  addHostingServer(name: string): Promise<HostingServer>;
  /** Does the same with a virtual machine, which takes about two minutes. The default system is Debian 12. */
  addVirtualServer(
    name: string,
    system?: VirtualMachineSystem,
    options?: { isCordoned?: boolean },
  ): Promise<VirtualServer>;
  /** Stops everything. The state stays, and `startInstallation` continues with it. */
  stop(): Promise<void>;
}

interface InstallationRecord {
  ports: InstallationPorts;
  baseUrl: string;
  token: string;
  packages: PackageRecord[];
}

const RECORD = 'installation.json';
/** For the installer and the first heartbeat on an emulated processor. */
const VIRTUAL_SERVER_TIMEOUT_MS = 1_200_000;

/**
 * Starts an installation, or its stopped parts. Each step is idempotent, so the next start continues an interrupted
 * one. Rejects with a StepError.
 */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  requireBundles();
  const state = await mountStateDir(options.stateDir);
  const step = options.step ?? createSteps(join(state.path, 'log'));
  const forTests = options.forTests === true;

  await step('Base root file system of the boxes', async (log) => {
    await ensureRootfs({ logFile: log.file, onStage: log.note });
  });
  const boxes = await step('Network of the boxes', () => openBoxes(state));
  const { hostAddress } = boxes.network;
  const ports = await step('Ports', () => choosePorts(state, options.ports));
  await step('Programs', async () => {
    await ensureSystemUser();
    await withFileLock(DIST_LOCK, () => placePrograms(join(state.path, 'bin')));
  });
  const mariadb = await step('MariaDB', () => startMariadb(state, { forTests }));
  await writeSettings(state, ports, hostAddress, mariadb, options.rateLimit ?? (forTests ? 0 : undefined));
  const innctl = createInnctl(state);
  await step('Keys', async (log) => {
    const hosts = ['--host', hostAddress, '--nats-port', String(ports.nats)];
    log.write(await requireInnctl(innctl, ['init', '--keys', join(state.path, 'keys'), ...hosts]));
  });
  await step('NATS', () => startOwnNats(state, hostAddress, ports));
  await step('Database schema', async (log) => log.write(await requireInnctl(innctl, ['migrate'])));
  const packages = await step('First admin and packages', async () => {
    await ensureAdmin(innctl, state);
    return await ensurePackages(innctl);
  });
  const origin = `http://127.0.0.1:${ports.http}`;
  const baseUrl = `${origin}/api/v1`;
  const api = createApiProcess(state, origin);
  await step('API', () => api.start());
  const token = await step('Admin token', () => ensureToken(innctl, state, baseUrl));

  const record: InstallationRecord = { ports, baseUrl, token, packages };
  await writeFile(join(state.path, RECORD), JSON.stringify(record), { mode: 0o600 });
  return createInstallation({ state, step, record, boxes, innctl, api });
}

/** Opens a running installation from another process, for example a test worker. */
export async function openInstallation(stateDir: string): Promise<Installation> {
  const state = stateDirOf(stateDir);
  const text = await readFile(join(state.path, RECORD), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`no installation runs in ${state.dir}`);
  const record = JSON.parse(text) as InstallationRecord;
  const origin = new URL(record.baseUrl).origin;
  return createInstallation({
    state,
    step: createSteps(join(state.path, 'log')),
    record,
    boxes: await openBoxes(state),
    innctl: createInnctl(state),
    api: createApiProcess(state, origin),
  });
}

/**
 * Stops all running parts of an installation, even if it is incomplete, and unmounts its state folder. Its state stays.
 */
export async function stopInstallation(stateDir: string): Promise<void> {
  const state = await mountStateDir(stateDir);
  await createApiProcess(state, '').stop();
  await openVirtualMachines(state).stopAll();
  if (hasBoxes(state)) await (await inspectBoxes(state)).stopAll();
  await stopNats(state);
  await stopLastingRegistry(state);
  await stopMariadb(state);
  await unmountStateDir(state);
}

/** Stops all running parts of an installation and removes its state. */
export async function removeInstallation(stateDir: string): Promise<void> {
  const state = await mountStateDir(stateDir);
  await createApiProcess(state, '').stop();
  await openVirtualMachines(state).removeAll();
  if (hasBoxes(state)) await (await inspectBoxes(state)).removeAll();
  await stopNats(state);
  await stopLastingRegistry(state);
  await stopPebbles(state);
  await stopMariadb(state);
  await stopMysql(state);
  await unmountStateDir(state);
  await rm(state.dir, { recursive: true, force: true });
}

function hasBoxes(state: StateDir): boolean {
  return existsSync(join(state.path, 'boxes'));
}

async function startOwnNats(state: StateDir, address: string, ports: InstallationPorts): Promise<void> {
  const configFile = join(state.path, 'keys/nats/nats-server.conf');
  await startNats(state, { configFile, address, port: ports.nats, user: SYSTEM_USER });
}

function createInstallation(parts: {
  state: StateDir;
  step: RunStep;
  record: InstallationRecord;
  boxes: Boxes;
  innctl: Innctl;
  api: ApiProcess;
}): Installation {
  const { state, step, record, boxes, innctl, api } = parts;
  const { hostAddress } = boxes.network;
  const context = { state, innctl, control: `${hostAddress}:${record.ports.grpc}` };
  const virtualMachines = openVirtualMachines(state);
  return {
    state,
    ...record,
    boxes,
    virtualMachines,
    innctl,
    apiLogFile: api.logFile,
    startApi: api.start,
    stopApi: api.stop,
    killApi: api.kill,
    startNats: () => startOwnNats(state, hostAddress, record.ports),
    stopNats: () => stopNats(state),
    addHostingServer: (name) =>
      step(`Hosting server ${name}`, (log) =>
        addHostingServer(
          context,
          { name, start: () => boxes.start(name), folder: join('boxes', name), timeoutMs: 120_000 },
          log,
        ),
      ),
    addVirtualServer: (name, system, { isCordoned } = {}) =>
      step(`Hosting server ${name}`, async (log) => {
        const folder = join('virtual-machines', name);
        const machine = {
          name,
          start: (note: (words: string) => void) => virtualMachines.start(name, { system, onStage: note }),
          folder,
          timeoutMs: VIRTUAL_SERVER_TIMEOUT_MS,
          isCordoned,
        };
        await mkdir(join(state.path, folder, '..'), { recursive: true });
        // Others wait for a start in the background.
        return await withFileLock(`${join(state.path, folder)}.lock`, () =>
          addHostingServer(context, machine, log),
        );
      }),
    stop: () => stopInstallation(state.dir),
  };
}
