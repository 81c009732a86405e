import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createGuest, type Guest, waitUntilBooted } from '../boxes/guest.ts';
import { execInGuest } from '../boxes/guest-exec.ts';
import { freePort } from '../processes/port.ts';
import { requireProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { waitUntil } from '../processes/wait-until.ts';
import {
  ensureVirtualMachineImage,
  GUEST_ADDRESS,
  type VirtualMachineImage,
} from './virtual-machine-image.ts';

/**
 * A hosting server with its own kernel, for features that this machine's kernel, which boxes share, may not have: disk
 * quotas. It has the packages of a box, cgroup v2, and an ext4 at /home that enforces user quotas.
 *
 * Its processor is emulated, so it runs without KVM, about ten times slower than a box. It has no access to any
 * network, not even to this machine; commands reach it over SSH. Its disk writes go to unlinked files, and it ends with
 * the process that started it.
 */
export interface VirtualMachine extends Guest {
  /** Kills the virtual machine. Everything that it wrote is lost. */
  stop(): Promise<void>;
}

export interface VirtualMachineOptions {
  /** Memory in MiB. Default: 1536. */
  memoryMb?: number;
  /** A folder of this machine whose content the guest has at `mountPoint`, read-only. */
  folder?: { path: string; mountPoint: string };
  /** Called with a few words at each new stage of the start. */
  onStage?: (stage: string) => void;
}

const BOOT_TIMEOUT_MS = 300_000;

/**
 * Starts a virtual machine and returns it once its systemd has booted: about 30 s, or 60 s on a busy machine. The first
 * start builds its image. Its logs are `<state>/log/<name>.log` and `<state>/log/<name>-console.log`.
 */
export async function startVirtualMachine(
  state: StateDir,
  name: string,
  { memoryMb = 1536, folder: shared, onStage }: VirtualMachineOptions = {},
): Promise<VirtualMachine> {
  const image = await ensureVirtualMachineImage({ logFile: join(state.path, `log/${name}.log`), onStage });
  const folder = join(state.path, 'virtual-machines', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const key = join(folder, 'key');
  await requireProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  const publicKey = (await readFile(`${key}.pub`, 'utf8')).trim();
  const sshPort = await freePort();
  const sharedDisk =
    shared === undefined ? undefined : await makeDisk(shared.path, join(folder, 'shared.ext4'));

  onStage?.('boot');
  const consoleLog = join(state.path, `log/${name}-console.log`);
  const qemu = startQemu(folder, qemuArgs({ image, memoryMb, publicKey, sshPort, consoleLog, sharedDisk }));
  const stop = async () => {
    await qemu.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const ssh = sshArgv(folder, sshPort);
    const connection = await openConnection(ssh, qemu);
    const toMachine = (argv: readonly string[], env: Readonly<Record<string, string>>) => {
      const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
      // The shell stays, so that it can report a command that a signal ended.
      return [...ssh, `${quote(['env', '-i', ...variables, ...argv])}; exit $?`];
    };
    const machine: VirtualMachine = {
      ...createGuest(name, (argv, options) => execInGuest(name, toMachine, argv, options)),
      stop: async () => {
        connection.stdin?.end();
        await stop();
      },
    };
    await waitUntilBooted(machine, BOOT_TIMEOUT_MS);
    if (shared !== undefined) {
      await machine.require(['mkdir', '-p', shared.mountPoint]);
      await machine.require(['mount', '-o', 'ro', '/dev/vdc', shared.mountPoint]);
    }
    return machine;
  } catch (cause) {
    await stop();
    const said = qemu.stderr().trim() || (await readFile(consoleLog, 'utf8').catch(() => '')).slice(-1_000);
    throw new Error(`${name} did not boot: ${said} (its logs: ${state.dir}/log)`, { cause });
  }
}

/** Writes a folder's content to a file system in a file: faster than copying it into an emulated machine. */
async function makeDisk(folder: string, file: string): Promise<string> {
  const [mib] = (await requireProgram(['du', '--summarize', '--block-size=1M', folder])).stdout.split('\t');
  const size = `${Math.ceil(Number(mib) * 1.2) + 8}M`;
  await requireProgram(['mkfs.ext4', '-q', '-O', '^has_journal', '-d', folder, file, size]);
  return file;
}

interface QemuOptions {
  image: VirtualMachineImage;
  memoryMb: number;
  publicKey: string;
  sshPort: number;
  consoleLog: string;
  sharedDisk: string | undefined;
}

function qemuArgs({ image, memoryMb, publicKey, sshPort, consoleLog, sharedDisk }: QemuOptions): string[] {
  const kernelOptions = [
    ...[
      'root=/dev/vda',
      'rw',
      'console=ttyS0',
      'quiet',
      'net.ifnames=0',
      'systemd.unified_cgroup_hierarchy=1',
    ],
    `"systemd.set_credential=ssh.authorized_keys.root:${publicKey}"`,
  ];
  const drive = (file: string) => ['-drive', `file=${file},format=raw,if=virtio,snapshot=on,cache=unsafe`];
  return [
    ...['-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot'],
    ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', String(memoryMb)],
    ...['-kernel', image.kernel, '-initrd', image.initrd, '-append', kernelOptions.join(' ')],
    ...[image.rootDisk, image.homeDisk, ...(sharedDisk === undefined ? [] : [sharedDisk])].flatMap(drive),
    ...['-netdev', `user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:${sshPort}-${GUEST_ADDRESS}:22`],
    ...['-device', 'virtio-net-pci,netdev=net,romfile=', '-device', 'virtio-rng-pci'],
    ...['-serial', `file:${consoleLog}`],
  ];
}

interface Qemu {
  hasEnded(): boolean;
  stderr(): string;
  stop(): Promise<void>;
}

/** Starts QEMU as a child that the kernel kills when this process ends for any reason. */
function startQemu(folder: string, args: readonly string[]): Qemu {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'qemu-system-x86_64', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Folder for the unlinked files.
    env: { ...process.env, TMPDIR: folder },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  let isEnded = false;
  const ended = once(child, 'close').then(() => {
    isEnded = true;
  });
  return {
    hasEnded: () => isEnded,
    stderr: () => stderr,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function sshArgv(folder: string, port: number): string[] {
  const options = [
    ...['BatchMode=yes', 'LogLevel=ERROR', 'ConnectTimeout=10', `ControlPath=${folder}/ssh`],
    // The connection is on this machine's loopback, and every box has the same host key.
    ...['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'],
  ];
  return [
    ...['ssh', '-F', 'none', '-i', join(folder, 'key'), '-p', String(port)],
    ...options.flatMap((option) => ['-o', option]),
    ...['root@127.0.0.1', '--'],
  ];
}

/**
 * Opens the connection that all commands share, because the guest needs seconds for a new one. Retries until the guest
 * accepts it. It ends when its standard input closes, and so with this process.
 */
async function openConnection(ssh: readonly string[], qemu: Qemu): Promise<ChildProcess> {
  const what = 'a connection to the virtual machine';
  const opened = await waitUntil(
    what,
    async () => {
      if (qemu.hasEnded()) return 'ended';
      const [program, ...args] = ssh;
      const child = spawn(program!, ['-M', ...args, 'echo open && exec cat'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      return await Promise.race([
        once(child.stdout, 'data').then(() => child),
        once(child, 'close').then(() => undefined),
      ]);
    },
    { timeoutMs: BOOT_TIMEOUT_MS, everyMs: 250 },
  );
  if (opened === 'ended') throw new Error('QEMU has ended');
  return opened;
}

/** Quotes words for a shell. */
function quote(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
