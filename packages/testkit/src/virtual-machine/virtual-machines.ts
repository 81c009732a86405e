import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoxStatus } from '../boxes/box-fleet.ts';
import { type BoxNetwork, claimNetwork, raiseBridge } from '../boxes/box-network.ts';
import { createGuest, waitUntilBooted } from '../boxes/guest.ts';
import { execInGuest } from '../boxes/guest-exec.ts';
import { findDaemon, startDaemon, stopDaemon } from '../processes/daemon.ts';
import { requireProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { HOME_DISK, qemuArgv, ROOT_DISK } from './qemu.ts';
import { sendFolder } from './send-folder.ts';
import { createSsh } from './ssh.ts';
import type { VirtualMachine } from './virtual-machine.ts';
import {
  ensureVirtualMachineImage,
  type VirtualMachineImage,
  type VirtualMachineSystem,
} from './virtual-machine-image.ts';

/** Addresses above those of boxes. */
const FIRST_HOST = 201;
const LAST_HOST = 254;
const NAME = /^[a-z][a-z0-9-]{0,30}$/;
const BOOT_TIMEOUT_MS = 300_000;
const MEMORY_MB = 2_048;
const SHUTDOWN_MS = 60_000;

/** The virtual machines of one state folder, on the bridge of its boxes. They outlive the process that started them. */
export interface VirtualMachines {
  /**
   * Creates the machine if it does not exist, with Debian 12 unless `system` is another one, and boots it. The first call
   * on this machine builds the image (about a minute). Its logs are `<state>/log/<name>.log` and
   * `<state>/log/<name>-console.log`.
   */
  start(
    name: string,
    options?: { system?: VirtualMachineSystem | undefined; onStage?: (stage: string) => void },
  ): Promise<VirtualMachine>;
  /** Returns an existing machine, running or stopped. */
  find(name: string): Promise<VirtualMachine | undefined>;
  list(): Promise<BoxStatus[]>;
  /** Kills the machine and removes its disks.  */
  remove(name: string): Promise<void>;
  stopAll(): Promise<void>;
  removeAll(): Promise<void>;
}

export function openVirtualMachines(state: StateDir): VirtualMachines {
  const all = join(state.path, 'virtual-machines');
  const find = async (name: string): Promise<VirtualMachine | undefined> => {
    const address = await readFile(join(all, name, 'address'), 'utf8').catch(() => undefined);
    return address === undefined ? undefined : createMachine(state, name, address);
  };
  const names = async () => (await readdir(all).catch(() => [])).filter((name) => NAME.test(name)).sort();
  const isRunning = async (name: string) => (await findQemu(state, name)) !== undefined;

  const machines: VirtualMachines = {
    find,
    start: async (name, { system = 'debian12', onStage } = {}) => {
      if (!NAME.test(name)) throw new Error(`"${name}" is not a virtual machine's name: ${NAME.source}`);
      if ((await find(name)) === undefined) {
        const image = await ensureVirtualMachineImage({ logFile: logFile(state, name), onStage }, system);
        await makeMachine(join(all, name), image, await freeAddress(all, await claimNetwork(state)));
      }
      onStage?.('booting');
      const machine = (await find(name))!;
      await machine.start();
      return machine;
    },
    list: async () =>
      await Promise.all(
        (await names()).map(async (name) => ({
          name,
          address: await readFile(join(all, name, 'address'), 'utf8'),
          running: await isRunning(name),
        })),
      ),
    remove: async (name) => {
      const machine = await find(name);
      await machine?.cutPower();
      await rm(join(all, name), { recursive: true, force: true });
    },
    stopAll: async () => {
      await Promise.all((await names()).map(async (name) => await (await find(name))?.stop()));
    },
    removeAll: async () => {
      await Promise.all((await names()).map(machines.remove));
    },
  };
  return machines;
}

function logFile(state: StateDir, name: string): string {
  return join(state.path, `log/${name}.log`);
}

const findQemu = (state: StateDir, name: string) => findDaemon(join(state.path, 'pids'), `qemu-${name}`);

/** Creates the files of a machine. An interrupted call leaves no half of one. */
async function makeMachine(folder: string, image: VirtualMachineImage, address: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const file = (name: string) => join(unfinished, name);
  await requireProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file('key')]);
  for (const [disk, base] of [
    [ROOT_DISK, image.rootDisk],
    [HOME_DISK, image.homeDisk],
  ] as const)
    await requireProgram(['qemu-img', 'create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', base, file(disk)]);
  await writeFile(file('image.json'), JSON.stringify(image));
  await writeFile(file('address'), address);
  await rename(unfinished, folder);
}

function createMachine(state: StateDir, name: string, address: string): VirtualMachine {
  const folder = join(state.path, 'virtual-machines', name);
  const ssh = createSsh(folder, address);
  const guest = createGuest(name, (argv, options) => execInGuest(name, ssh.toGuest, argv, options));
  const isRunning = async () => (await findQemu(state, name)) !== undefined;
  /** The kernel's id of the running boot. */
  const bootId = async () =>
    (await guest.require(['cat', '/proc/sys/kernel/random/boot_id'], { timeoutMs: 30_000 })).trim();

  /** Waits until a boot other than `earlier` has started all its units. */
  const untilBooted = async (earlier?: string) => {
    await waitUntil(
      `a connection to ${name}`,
      async () => {
        if (!(await isRunning())) return 'ended';
        return (await bootId()) === earlier ? undefined : 'open';
      },
      { timeoutMs: BOOT_TIMEOUT_MS, everyMs: 500 },
    ).then((result) => {
      if (result === 'ended') throw new Error('QEMU has ended');
    });
    await waitUntilBooted(guest, BOOT_TIMEOUT_MS);
  };
  const end = async () => {
    await ssh.close();
    await stopDaemon(join(state.path, 'pids'), `qemu-${name}`);
  };

  const machine: VirtualMachine = {
    ...guest,
    address,
    attach: ssh.attach,
    copyIn: async (hostPath, guestPath) => {
      if (!(await stat(hostPath)).isDirectory()) return await guest.copyIn(hostPath, guestPath);
      await sendFolder(guest, (await claimNetwork(state)).hostAddress, hostPath, guestPath);
    },
    start: async () => {
      if (!(await isRunning())) {
        await ssh.close();
        await startQemu(state, name, address);
      }
      try {
        await untilBooted();
      } catch (cause) {
        const read = (file: string) => readFile(join(state.path, 'log', file), 'utf8').catch(() => '');
        const said = `${(await read(`${name}.log`)).slice(-500)}\n${(await read(`${name}-console.log`)).slice(-1_000)}`;
        throw new Error(`${name} did not boot: ${said.trim()} (its logs: ${state.dir}/log)`, { cause });
      }
    },
    reboot: async () => {
      const earlier = await bootId();
      // The connection may end before the command does.
      await guest.exec(['systemctl', 'reboot']).catch(() => {});
      await waitUntil(`the shutdown of ${name}`, async () => !(await answers(guest, earlier)), {
        timeoutMs: BOOT_TIMEOUT_MS,
        everyMs: 500,
      });
      await ssh.close();
      await untilBooted(earlier);
    },
    cutPower: async () => {
      const pid = await findQemu(state, name);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await waitUntil(`the end of ${name}`, async () => !(await isRunning()));
      await end();
    },
    stop: async () => {
      if (await isRunning()) {
        await guest.exec(['systemctl', 'poweroff']).catch(() => {});
        await waitUntil('', async () => !(await isRunning()), { timeoutMs: SHUTDOWN_MS }).catch(() => {});
      }
      await end();
    },
  };
  return machine;
}

async function answers(guest: Pick<VirtualMachine, 'exec'>, bootId: string): Promise<boolean> {
  const argv = ['cat', '/proc/sys/kernel/random/boot_id'];
  return await guest.exec(argv, { timeoutMs: 5_000 }).then(
    ({ stdout }) => stdout.trim() === bootId,
    () => false,
  );
}

async function startQemu(state: StateDir, name: string, address: string): Promise<void> {
  const network = await claimNetwork(state);
  await raiseBridge(network);
  const folder = join(state.path, 'virtual-machines', name);
  const networkProgram = join(folder, 'network');
  await writeFile(networkProgram, `#!/bin/sh -e\nexec ip link set dev "$1" master ${network.bridge} up\n`, {
    mode: 0o700,
  });
  const image = JSON.parse(await readFile(join(folder, 'image.json'), 'utf8')) as VirtualMachineImage;
  if (!existsSync(image.rootDisk))
    throw new Error(`the image of ${name} was removed: ${image.rootDisk}. Remove the machine.`);
  const argv = qemuArgv({
    ...{ name, folder, image, address, networkProgram, memoryMb: MEMORY_MB },
    publicKey: (await readFile(join(folder, 'key.pub'), 'utf8')).trim(),
    consoleLog: join(state.path, `log/${name}-console.log`),
  });
  await startDaemon({
    recordDir: join(state.path, 'pids'),
    name: `qemu-${name}`,
    argv,
    logFile: logFile(state, name),
  });
}

async function freeAddress(all: string, network: BoxNetwork): Promise<string> {
  const read = (name: string) => readFile(join(all, name, 'address'), 'utf8').catch(() => '');
  const used = new Set(await Promise.all((await readdir(all).catch(() => [])).map(read)));
  for (let host = FIRST_HOST; host <= LAST_HOST; host += 1) {
    const address = network.hostAddress.replace(/\d+$/, String(host));
    if (!used.has(address)) return address;
  }
  throw new Error(`the subnet of ${network.hostAddress} has no free address for another virtual machine`);
}
