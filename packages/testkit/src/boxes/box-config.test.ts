import { expect, it } from 'vitest';
import { type BoxConfig, lxcConfig } from './box-config.ts';

const box: BoxConfig = {
  name: 'web1',
  address: '10.77.4.11',
  bridge: 'ik01234567',
  rootfs: '/var/cache/innkeeper/rootfs-x',
  layer: undefined,
  dir: '/run/innkeeper-dev-1/boxes/web1',
  device: { path: '/dev/sda1', number: '8:1' },
};
const config = lxcConfig(box);

it('gives a box an address and no default route', () => {
  expect(config).toContain('lxc.net.0.ipv4.address = 10.77.4.11/24\n');
  expect(config).not.toContain('gateway');
});

it('gives a box the same MAC address at each start', () => {
  expect(config).toContain('lxc.net.0.hwaddr = 02:00:0a:4d:04:0b\n');
});

it('never lets a box write the base root file system', () => {
  expect(config).toContain(
    'lxc.rootfs.path = overlay:/var/cache/innkeeper/rootfs-x:/run/innkeeper-dev-1/boxes/web1/delta\n',
  );
});

it('puts the changes of a layer between the base and the box', () => {
  expect(lxcConfig({ ...box, layer: '/run/layers/installed/delta' })).toContain(
    'lxc.rootfs.path = overlay:/run/layers/installed/delta:/var/cache/innkeeper/rootfs-x:/run/innkeeper-dev-1/boxes/web1/delta\n',
  );
});

it('gives a box the device node of the disk for IO limits, without the right to open it', () => {
  expect(config).toContain('lxc.mount.entry = /dev/sda1 dev/sda1 none bind,create=file 0 0\n');
  expect(config).toContain('lxc.cgroup.devices.deny = b 8:1 rwm\n');
  expect(config).toContain('lxc.cgroup2.devices.deny = b 8:1 rwm\n');
});
