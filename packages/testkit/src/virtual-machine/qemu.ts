import { join } from 'node:path';
import { macOf } from '../boxes/box-config.ts';
import { ADDRESS_OPTION, NAME_OPTION, type VirtualMachineImage } from './virtual-machine-image.ts';

export interface QemuOptions {
  name: string;
  /** Folder with the disks of the machine. */
  folder: string;
  image: Pick<VirtualMachineImage, 'kernel' | 'initrd'>;
  /** In MiB. */
  memoryMb: number;
  /** The IPv4 address of the guest. */
  address: string;
  /** Program that QEMU calls with the name of its network interface. */
  networkProgram: string;
  /** Public SSH key with which root of the guest can be reached. */
  publicKey: string;
  consoleLog: string;
}

/** Units of Debian that no test needs, and that take processor time at boot or later. */
const IDLE_UNITS = [
  'apt-daily.timer',
  'apt-daily-upgrade.timer',
  'dpkg-db-backup.timer',
  'e2scrub_all.timer',
  'e2scrub_reap.service',
  'fstrim.timer',
  'man-db.timer',
  'getty@tty1.service',
  'serial-getty@ttyS0.service',
  'modprobe@drm.service',
  'modprobe@efi_pstore.service',
  'modprobe@fuse.service',
  'systemd-pstore.service',
];

/** The disks of a machine: overlays above the disks of the image. Files of its folder. */
export const ROOT_DISK = 'root.qcow2';
export const HOME_DISK = 'home.qcow2';

/**
 * Returns the command of a virtual machine. Its processor is emulated, because KVM is not available everywhere.
 *
 * The disks behave like disks with a volatile write cache: killing QEMU loses writes that the guest has not flushed.
 * Its network interface is created by QEMU and disappears with it.
 */
export function qemuArgv(machine: QemuOptions): string[] {
  const { name, folder, image, memoryMb, address, networkProgram, publicKey, consoleLog } = machine;
  const kernelOptions = [
    ...[
      'root=/dev/vda',
      'rw',
      'console=ttyS0',
      'quiet',
      'net.ifnames=0',
      'systemd.unified_cgroup_hierarchy=1',
    ],
    // The kernel panics if its timer does not tick at once, as on a busy machine.
    'no_timer_check',
    ...IDLE_UNITS.map((unit) => `systemd.mask=${unit}`),
    ...[`${NAME_OPTION}=${name}`, `${ADDRESS_OPTION}=${address}/24`],
    `"systemd.set_credential=ssh.authorized_keys.root:${publicKey}"`,
  ];
  const disk = (file: string) => [
    '-drive',
    `file=${join(folder, file)},format=qcow2,if=virtio,cache=writeback,discard=unmap`,
  ];
  return [
    ...['qemu-system-x86_64', '-nodefaults', '-no-user-config', '-display', 'none'],
    ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', String(memoryMb)],
    ...['-kernel', image.kernel, '-initrd', image.initrd, '-append', kernelOptions.join(' ')],
    ...[...disk(ROOT_DISK), ...disk(HOME_DISK)],
    ...['-netdev', `tap,id=net,script=${networkProgram},downscript=no`],
    ...['-device', `virtio-net-pci,netdev=net,mac=${macOf(address)},romfile=`, '-device', 'virtio-rng-pci'],
    ...['-serial', `file:${consoleLog}`],
  ];
}
