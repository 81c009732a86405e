import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Boxes } from '../boxes/box-fleet.ts';
import { inspectBoxes, openBoxes } from '../boxes/box-fleet.ts';
import { ensureRootfs } from '../boxes/box-rootfs.ts';
import { withFileLock } from '../processes/file-lock.ts';
import { mountStateDir, type StateDir, stateDirOf, unmountStateDir } from '../processes/state-dir.ts';
import { startMariadb, stopMariadb } from '../servers/mariadb.ts';
import { stopMysql } from '../servers/mysql.ts';
import { startNats, stopNats } from '../servers/nats-server.ts';
import { stopPebble } from '../servers/pebble.ts';
import { type ApiProcess, createApiProcess } from './api-process.ts';
import { ensureAdmin, ensurePackages, ensureToken, type PackageRecord } from './first-records.ts';
import { addHostingServer, type HostingServer } from './hosting-server.ts';
import { createInnctl, type Innctl, requireInnctl } from './innctl.ts';
import { choosePorts, type InstallationPorts } from './ports.ts';
import { DIST_LOCK, placePrograms, requireBundles } from './programs.ts';
import { ensureSystemUser, SYSTEM_USER, writeSettings } from './settings.ts';
import { createSteps, type RunStep } from './steps.ts';

export interface InstallationOptions {
  /** The folder that holds all of its state. */
  stateDir: string;
  /** The ports that it shall have; free ones for those not given. */
  ports?: Partial<InstallationPorts>;
  /** Trades durability for speed, and lets the database user make databases. */
  forTests?: boolean;
  /** Requests that a user may make in a minute; 0: nobody is limited, which is so for tests. Default: the API's. */
  rateLimit?: number | undefined;
  /** Runs the steps; without it they are logged in `<state>/log` and not shown. */
  step?: RunStep;
}

/**
 * A whole control plane of this checkout's bundles, on a MariaDB and a NATS of its own, and the boxes that
 * are its hosting servers. It outlives the process that started it.
 */
export interface Installation {
  state: StateDir;
  ports: InstallationPorts;
  /** `http://127.0.0.1:port/api/v1` */
  baseUrl: string;
  /** A token of the admin with every ability. */
  token: string;
  /** What customers are offered; the internal custom package is not among them. */
  packages: PackageRecord[];
  boxes: Boxes;
  apiLogFile: string;
  innctl: Innctl;
  startApi(): Promise<void>;
  /** Lets it finish its requests. */
  stopApi(): Promise<void>;
  /** Sends a signal and waits for its end. */
  killApi(signal: NodeJS.Signals): Promise<void>;
  startNats(): Promise<void>;
  stopNats(): Promise<void>;
  /** Makes the box `name` a hosting server, or gives the one that it is. */
  addHostingServer(name: string): Promise<HostingServer>;
  /** Stops everything; the state stays, and `startInstallation` continues with it. */
  stop(): Promise<void>;
}

interface InstallationRecord {
  ports: InstallationPorts;
  baseUrl: string;
  token: string;
  packages: PackageRecord[];
}

const RECORD = 'installation.json';

/**
 * Starts an installation, or what of it does not run. Each step is idempotent, so an interrupted start is
 * continued by the next. Rejects with a StepError.
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

/** An installation that `startInstallation` started, from another process: a test worker, say. */
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

/** Stops whatever of an installation runs, complete or not, and takes its mount away. Its state stays. */
export async function stopInstallation(stateDir: string): Promise<void> {
  const state = await mountStateDir(stateDir);
  await createApiProcess(state, '').stop();
  if (hasBoxes(state)) await (await inspectBoxes(state)).stopAll();
  await stopNats(state);
  await stopMariadb(state);
  await unmountStateDir(state);
}

/** Stops whatever of an installation runs and removes its state. */
export async function removeInstallation(stateDir: string): Promise<void> {
  const state = await mountStateDir(stateDir);
  await createApiProcess(state, '').stop();
  if (hasBoxes(state)) await (await inspectBoxes(state)).removeAll();
  await stopNats(state);
  await stopPebble(state);
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
  const control = `${hostAddress}:${record.ports.grpc}`;
  return {
    state,
    ...record,
    boxes,
    innctl,
    apiLogFile: api.logFile,
    startApi: api.start,
    stopApi: api.stop,
    killApi: api.kill,
    startNats: () => startOwnNats(state, hostAddress, record.ports),
    stopNats: () => stopNats(state),
    addHostingServer: (name) =>
      step(`Hosting server ${name}`, (log) => addHostingServer({ state, boxes, innctl, control }, name, log)),
    stop: () => stopInstallation(state.dir),
  };
}
