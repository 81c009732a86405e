import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { searchGuestForLeaks } from '../leaks/find-leaks.ts';
import { withFileLock } from '../processes/file-lock.ts';
import { requireProgram, runProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { type Box, createBox } from './box.ts';
import { lxcConfig } from './box-config.ts';
import { findBlockDevice } from './box-device.ts';
import { type BoxNetwork, claimNetwork, raiseBridge, releaseNetwork, removeBridge } from './box-network.ts';
import { type BoxSystem, ensureRootfs } from './box-rootfs.ts';
import { waitUntilBooted } from './guest.ts';

const FIRST_HOST = 11;
/** Virtual machines have the addresses above. */
const LAST_HOST = 200;
const BOX_NAME = /^[a-z][a-z0-9-]{0,30}$/;

export interface BoxStatus {
  name: string;
  address: string;
  running: boolean;
}

/** The boxes of one state folder. */
export interface Boxes {
  network: BoxNetwork;
  /**
   * Starts the box and returns it once its systemd has booted (1-2 s). Creates the box if it does not exist. A stopped
   * box starts with its files. Does nothing if the box is running. A new box starts from `layer`, if it is given, and
   * has the base root file system of `system`, which is built if it is missing.
   */
  start(name: string, from?: { layer?: string; system?: BoxSystem }): Promise<Box>;
  /**
   * Shuts the box down and moves its files to the folder `layer`, from which any number of new boxes can start. Removes
   * the box. The layer must exist as long as its boxes.
   */
  keepAsLayer(name: string, layer: string): Promise<void>;
  /** Returns an existing box, running or stopped. */
  get(name: string): Promise<Box>;
  list(): Promise<BoxStatus[]>;
  /** Shuts the box down like a server; kills it after 20 s. Its files stay. */
  stop(name: string): Promise<void>;
  /** Kills the box, like a power failure. Its files stay. */
  kill(name: string): Promise<void>;
  /** Kills the box and removes its files. In a test run it first searches the box for the run's secrets. */
  remove(name: string): Promise<void>;
  /** Stops all boxes and removes the bridge. Their files, addresses and the subnet stay. */
  stopAll(): Promise<void>;
  /** Removes all boxes and the bridge, and releases the subnet. */
  removeAll(): Promise<void>;
}

/**
 * Opens the boxes of a state folder: claims its subnet and creates its bridge. If the base root file system is missing,
 * builds it first (about 1 minute, with the log in `<state>/log/rootfs.log`).
 */
export async function openBoxes(state: StateDir): Promise<Boxes> {
  const rootfs = await ensureRootfs({ logFile: join(state.path, 'log/rootfs.log') });
  const network = await claimNetwork(state);
  await raiseBridge(network);
  return createBoxes(state, network, rootfs);
}

/** Like `openBoxes`, but read-only: builds and creates nothing. */
export async function inspectBoxes(state: StateDir): Promise<Boxes> {
  const network = await claimNetwork(state);
  return createBoxes(state, network, '');
}

function createBoxes(state: StateDir, network: BoxNetwork, rootfs: string): Boxes {
  const boxesDir = join(state.path, 'boxes');
  const addressFile = (name: string) => join(boxesDir, name, 'address');

  const names = async (): Promise<string[]> => {
    const entries = await readdir(boxesDir, { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  };
  const isRunning = async (name: string): Promise<boolean> => {
    const info = await runProgram(['lxc-info', '-P', boxesDir, '-n', name, '--state', '--no-humanize']);
    return info.stdout.trim() === 'RUNNING';
  };
  const find = async (name: string): Promise<Box | undefined> => {
    const address = await readFile(addressFile(name), 'utf8').catch(() => undefined);
    return address === undefined ? undefined : createBox(boxesDir, name, address);
  };

  const layerFile = (name: string) => join(boxesDir, name, 'layer');
  const findLayer = async (name: string): Promise<string | undefined> =>
    await readFile(layerFile(name), 'utf8').catch(() => undefined);

  const rootfsFile = (name: string) => join(boxesDir, name, 'rootfs');
  const findRootfs = async (name: string): Promise<string> =>
    await readFile(rootfsFile(name), 'utf8').catch(() => rootfs);

  const make = async (name: string, layer: string | undefined, base: string | undefined): Promise<Box> => {
    const address = await freeAddress(boxesDir, network, await names());
    const dir = join(boxesDir, name);
    await mkdir(join(dir, 'home'), { recursive: true });
    await mkdir(join(dir, 'delta/etc'), { recursive: true });
    if (base !== undefined) await writeFile(rootfsFile(name), base);
    if (layer !== undefined) {
      await requireProgram(['cp', '--archive', join(layer, 'home'), dir]);
      await writeFile(layerFile(name), layer);
    }
    // Each box needs its own machine id: without one systemd assumes a first boot and resets which units are enabled.
    await writeFile(join(dir, 'delta/etc/machine-id'), `${randomBytes(16).toString('hex')}\n`);
    await writeFile(join(dir, 'delta/etc/hostname'), `${name}\n`);
    await writeFile(join(dir, 'delta/etc/hosts'), `127.0.0.1 localhost\n${address} ${name}\n`);
    await writeFile(addressFile(name), address);
    return createBox(boxesDir, name, address);
  };

  const boxes: Boxes = {
    network,
    start: async (name, { layer: newLayer, system } = {}) => {
      if (!BOX_NAME.test(name)) throw new Error(`"${name}" is not a box's name: ${BOX_NAME.source}`);
      const logFile = join(state.path, `log/rootfs-${system}.log`);
      const base = system === undefined ? undefined : await ensureRootfs({ logFile }, system);
      const lock = join(boxesDir, 'addresses.lock');
      const box =
        (await find(name)) ??
        (await withFileLock(lock, async () => (await find(name)) ?? (await make(name, newLayer, base))));
      if (!(await isRunning(name))) {
        const dir = join(boxesDir, name);
        const layer = await findLayer(name);
        const config = {
          name,
          address: box.address,
          bridge: network.bridge,
          rootfs: await findRootfs(name),
          layer: layer === undefined ? undefined : join(layer, 'delta'),
          dir,
          device: await findBlockDevice(dir),
        };
        await writeFile(join(dir, 'config'), lxcConfig(config));
        await requireProgram([
          'lxc-start',
          '-P',
          boxesDir,
          '-n',
          name,
          '-o',
          join(dir, 'lxc.log'),
          '-l',
          'WARN',
        ]);
      }
      await waitUntilBooted(box);
      return box;
    },
    keepAsLayer: async (name, layer) => {
      await boxes.stop(name);
      // An interrupted call leaves no half of a layer.
      const unfinished = `${layer}.unfinished`;
      await rm(unfinished, { recursive: true, force: true });
      await mkdir(unfinished, { recursive: true });
      for (const part of ['delta', 'home']) await rename(join(boxesDir, name, part), join(unfinished, part));
      await boxes.remove(name);
      await rename(unfinished, layer);
    },
    get: async (name) => {
      const box = await find(name);
      if (box === undefined) {
        throw new Error(`there is no box ${name}; there are: ${(await names()).join(', ') || 'none'}`);
      }
      return box;
    },
    list: async () =>
      await Promise.all(
        (await names()).map(async (name) => ({
          name,
          address: await readFile(addressFile(name), 'utf8'),
          running: await isRunning(name),
        })),
      ),
    stop: async (name) => {
      if (await isRunning(name)) {
        await requireProgram(['lxc-stop', '-P', boxesDir, '-n', name, '--timeout', '20']);
      }
    },
    kill: async (name) => {
      if (await isRunning(name)) await requireProgram(['lxc-stop', '-P', boxesDir, '-n', name, '--kill']);
    },
    remove: async (name) => {
      const testState = process.env.INNKEEPER_TEST_STATE;
      if (testState !== undefined && (await isRunning(name))) {
        const box = await boxes.get(name);
        await searchGuestForLeaks(box, testState).catch((error: unknown) =>
          console.warn(`${name} was not searched for secrets: ${String(error)}`),
        );
      }
      await boxes.kill(name);
      await rm(join(boxesDir, name), { recursive: true, force: true });
    },
    stopAll: async () => {
      await Promise.all((await names()).map(boxes.stop));
      await removeBridge(network);
    },
    removeAll: async () => {
      await Promise.all((await names()).map(boxes.remove));
      await removeBridge(network);
      await releaseNetwork(state);
    },
  };
  return boxes;
}

async function freeAddress(boxesDir: string, network: BoxNetwork, names: string[]): Promise<string> {
  const read = (name: string) => readFile(join(boxesDir, name, 'address'), 'utf8').catch(() => '');
  const used = new Set(await Promise.all(names.map(read)));
  for (let host = FIRST_HOST; host <= LAST_HOST; host += 1) {
    const address = network.hostAddress.replace(/\d+$/, String(host));
    if (!used.has(address)) return address;
  }
  throw new Error(`the subnet of ${network.hostAddress} has no free address for another box`);
}
