import { createWriteStream } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BoxSystem, ensureRootfs } from '../boxes/box-rootfs.ts';
import { aptProxies } from '../boxes/debian-root.ts';
import { type BuildOptions, ensureCached } from '../processes/cached-build.ts';
import { runProgram } from '../processes/program.ts';

/**
 * The image of virtual machines: the base root file system of the boxes as a disk, with its own kernel and the
 * kernel's packages; and a disk for /home. The disks are never written to: each machine has overlays above them.
 */
export interface VirtualMachineImage {
  kernel: string;
  initrd: string;
  rootDisk: string;
  /** An empty ext4 file system with quota accounting for users. */
  homeDisk: string;
}

export type VirtualMachineSystem = Extract<BoxSystem, 'debian12' | 'debian13'>;

/** Words on the kernel's command line from which the guest takes its address (with prefix length) and its name. */
export const ADDRESS_OPTION = 'testkit.address';
export const NAME_OPTION = 'testkit.name';

/**
 * A hoster's kernel. Debian installs `apparmor` with it, whose profiles are then in force; the compiler needs a minute
 * for the many profiles of Debian 13 on an emulated processor.
 */
const KERNEL = ['linux-image-cloud-amd64', 'udev', 'kmod'];
const PACKAGES: Readonly<Record<VirtualMachineSystem, readonly string[]>> = {
  debian12: [...KERNEL, 'apparmor'],
  debian13: KERNEL,
};

/** Servers that take half of the boot time on an emulated processor. The installer enables those that it needs. */
const NOT_AT_BOOT = ['mariadb.service', 'nginx.service', 'php*-fpm.service'];

const NETWORK_UNIT = 'virtual-machine-network.service';
const NETWORK_PROGRAM = '/usr/local/lib/virtual-machine-network';

/** The shell that sets name and address before any server starts. */
const NETWORK = `
option() { sed -nE "s/.*\\b$1=([^ ]+).*/\\1/p" /proc/cmdline; }
hostname "$(option ${NAME_OPTION})"
ip address add "$(option ${ADDRESS_OPTION})" dev eth0
ip link set eth0 up
`;

const FILES: Readonly<Record<string, string>> = {
  'etc/hosts': '127.0.0.1 localhost\n',
  // Without a machine id systemd assumes a first boot and resets which units are enabled.
  'etc/machine-id': '5b1e0d4c8a7f4e2f9c3d6a1b0e8f7d52\n',
  // The mount enables the quotas.
  'etc/fstab': '/dev/vda / ext4 defaults 0 0\n/dev/vdb /home ext4 usrquota 0 0\n',
  // Only the modules for the disks and the network card, so that the initramfs is small to unpack at boot.
  'etc/initramfs-tools/conf.d/virtual-machine': 'MODULES=list\n',
  'etc/initramfs-tools/modules': 'virtio_pci\nvirtio_blk\nvirtio_net\next4\n',
  // Each command of a test is a session of one connection.
  'etc/ssh/sshd_config.d/virtual-machine.conf': 'MaxSessions 100\n',
  [NETWORK_PROGRAM.slice(1)]: NETWORK,
  [`etc/systemd/system/${NETWORK_UNIT}`]: [
    '[Unit]',
    'DefaultDependencies=no',
    'After=local-fs.target',
    'Before=network.target',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    `ExecStart=/bin/sh -e ${NETWORK_PROGRAM}`,
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n'),
};

const LINKS: Readonly<Record<string, string>> = {
  [`etc/systemd/system/multi-user.target.wants/${NETWORK_UNIT}`]: `../${NETWORK_UNIT}`,
  // These units (newer systemds have the second one) cannot enable quotas that the mount has already enabled, and would
  // report a failure.
  'etc/systemd/system/quotaon.service': '/dev/null',
  'etc/systemd/system/quotaon@.service': '/dev/null',
};

/**
 * Arguments: the base root, the build folder, and the units. Runs with its own mounts, which end with it. The folder's
 * `changes` overlay the base root, which stays unchanged.
 */
const BUILD = `
base=$1 folder=$2 packages=$3 not_at_boot=$4
root=$folder/root
mount -t overlay overlay -o "lowerdir=$base,upperdir=$folder/changes,workdir=$folder/work" "$root"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
export DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
echo "stage: package lists"
chroot "$root" apt-get update
echo "stage: kernel"
chroot "$root" apt-get install --yes --no-install-recommends -o Dpkg::Options::=--force-confold -- $packages
chroot "$root" apt-get clean
rm -rf "$root"/var/lib/apt/lists/* "$root/etc/apt/apt.conf.d/proxies"
: > "$root/etc/resolv.conf"
set -o noglob
chroot "$root" systemctl list-unit-files --no-legend --plain $not_at_boot | cut -d ' ' -f 1 | xargs chroot "$root" systemctl disable
set +o noglob
# So that no boot rebuilds caches of the linker and the journal, which takes 20 s on an emulated processor.
touch "$root/etc/.updated" "$root/var/.updated"
cp "$root/vmlinuz" "$folder/vmlinuz"
cp "$root/initrd.img" "$folder/initrd.img"
umount "$root/proc"
echo "stage: disks"
# Few free inodes, so that a test can use up all of them.
mkfs.ext4 -q -E lazy_itable_init=0 -N "$(($(find "$root" -xdev | wc -l) + 6000))" -d "$root" "$folder/root.ext4" 3G
mkfs.ext4 -q -E lazy_itable_init=0,quotatype=usrquota -N 8192 -O quota "$folder/home.ext4" 1G
`;

/** Builds the image if it is missing: about 30 s and 800 MB, in addition to the base root file system. */
export async function ensureVirtualMachineImage(
  options: BuildOptions,
  system: VirtualMachineSystem,
): Promise<VirtualMachineImage> {
  const base = await ensureRootfs(options, system);
  const folder = await ensureCached({
    name: system === 'debian12' ? 'virtual-machine' : `virtual-machine-${system}`,
    recipe: { base: basename(base), PACKAGES: PACKAGES[system], NOT_AT_BOOT, FILES, LINKS, BUILD },
    build: (unfinished) => build(base, unfinished, PACKAGES[system], options),
  });
  return {
    kernel: join(folder, 'vmlinuz'),
    initrd: join(folder, 'initrd.img'),
    rootDisk: join(folder, 'root.ext4'),
    homeDisk: join(folder, 'home.ext4'),
  };
}

async function build(
  base: string,
  folder: string,
  packages: readonly string[],
  { logFile, onStage }: BuildOptions,
): Promise<void> {
  for (const name of ['changes', 'work', 'root']) await mkdir(join(folder, name), { recursive: true });
  await writeChanges(join(folder, 'changes'));
  await mkdir(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile, { flags: 'a' });
  try {
    const argv = ['unshare', '--mount', 'sh', '-euc', BUILD, 'build-image', base, folder];
    const { exitCode, stderr } = await runProgram([...argv, packages.join(' '), NOT_AT_BOOT.join(' ')], {
      timeoutMs: 15 * 60_000,
      onOutput: (chunk) => {
        log.write(chunk);
        for (const [, stage] of chunk.toString('utf8').matchAll(/^stage: (.+)$/gm)) onStage?.(stage!);
      },
    });
    if (exitCode !== 0) {
      const said = stderr.trim().split('\n').slice(-5).join('; ');
      throw new Error(`the image of the virtual machine could not be built: ${said} (its log: ${logFile})`);
    }
  } finally {
    await new Promise((resolve) => log.end(resolve));
  }
  for (const name of ['changes', 'work', 'root']) await rm(join(folder, name), { recursive: true });
}

async function writeChanges(changes: string): Promise<void> {
  const proxies = { 'etc/apt/apt.conf.d/proxies': `${(await aptProxies()).join('\n')}\n` };
  for (const [path, content] of Object.entries({ ...FILES, ...proxies })) {
    await mkdir(dirname(join(changes, path)), { recursive: true });
    await writeFile(join(changes, path), content);
  }
  for (const [path, target] of Object.entries(LINKS)) {
    await mkdir(dirname(join(changes, path)), { recursive: true });
    await symlink(target, join(changes, path));
  }
}
