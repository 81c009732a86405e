import type { BlockDevice } from './box-device.ts';

/** The configuration values that differ between boxes. */
export interface BoxConfig {
  name: string;
  address: string;
  bridge: string;
  rootfs: string;
  /** Folder of changes that another box made to the base root file system (`Boxes.keepAsLayer`). */
  layer: string | undefined;
  /** Folder with the box's own files. */
  dir: string;
  /** The block device of the file system that contains `dir`. */
  device: BlockDevice | undefined;
}

/**
 * Returns the LXC configuration of a box: a system container with all capabilities, its own systemd, and write access
 * to its cgroups. It has an address on the bridge and no gateway. /home is a folder of the host's own file system:
 * unlike an overlay, that has a block device, and IO limits need one. The box sees the device's name but can neither
 * open nor mount it: it is this machine's own disk.
 */
export function lxcConfig(box: BoxConfig): string {
  const layers = [...(box.layer === undefined ? [] : [box.layer]), box.rootfs];
  return [
    `lxc.rootfs.path = overlay:${layers.join(':')}:${box.dir}/delta`,
    `lxc.uts.name = ${box.name}`,
    'lxc.net.0.type = veth',
    `lxc.net.0.link = ${box.bridge}`,
    'lxc.net.0.flags = up',
    'lxc.net.0.name = eth0',
    `lxc.net.0.hwaddr = ${macOf(box.address)}`,
    `lxc.net.0.ipv4.address = ${box.address}/24`,
    'lxc.mount.auto = proc:mixed sys:mixed cgroup:rw:force',
    `lxc.mount.entry = ${box.dir}/home home none bind,create=dir 0 0`,
    'lxc.init.cmd = /sbin/init',
    'lxc.signal.halt = SIGRTMIN+3',
    'lxc.apparmor.profile = unconfined',
    'lxc.cap.drop =',
    'lxc.autodev = 1',
    'lxc.tty.max = 0',
    'lxc.pty.max = 64',
    `lxc.console.logfile = ${box.dir}/console.log`,
    ...(box.device === undefined ? [] : deviceLines(box.device)),
    '',
  ].join('\n');
}

/**
 * The same for each start: with a new MAC address for a known IP address, this machine would send packets to the old one
 * until its neighbour entry expires, which takes up to a minute.
 */
export function macOf(address: string): string {
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return ['02', '00', ...bytes].join(':');
}

function deviceLines({ path, number }: BlockDevice): string[] {
  return [
    `lxc.mount.entry = ${path} ${path.slice(1)} none bind,create=file 0 0`,
    // Under cgroup v2 a list with only deny rules denies everything.
    'lxc.cgroup2.devices.allow = a',
    `lxc.cgroup2.devices.deny = b ${number} rwm`,
    `lxc.cgroup.devices.deny = b ${number} rwm`,
  ];
}
