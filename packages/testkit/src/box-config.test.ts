import { expect, it } from 'vitest';
import { lxcConfig } from './box-config.ts';

const config = lxcConfig({
  name: 'web1',
  address: '10.77.4.11',
  bridge: 'ik01234567',
  rootfs: '/var/cache/innkeeper/rootfs-x',
  dir: '/run/innkeeper-dev-1/boxes/web1',
});

it('gives a box an address and no route out', () => {
  expect(config).toContain('lxc.net.0.ipv4.address = 10.77.4.11/24\n');
  expect(config).not.toContain('gateway');
});

it('never lets a box write the base root file system', () => {
  expect(config).toContain(
    'lxc.rootfs.path = overlay:/var/cache/innkeeper/rootfs-x:/run/innkeeper-dev-1/boxes/web1/delta\n',
  );
});
