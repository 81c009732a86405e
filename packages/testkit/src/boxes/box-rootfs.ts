import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from '../processes/cached-build.ts';
import { ensureDebianRoot } from './debian-root.ts';

/**
 * The base root file system. All boxes share it, read-only, below their own overlays.
 *
 * It matches an operator's Debian 12 server before Innkeeper's installer runs: the packages, and nothing from
 * Innkeeper.
 */

const SUITE = 'bookworm';

const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'dbus', 'libpam-systemd', 'libpam-modules', 'login', 'passwd', 'procps'],
  ...[
    'iproute2',
    'nftables',
    'openssh-server',
    'cron',
    'logrotate',
    'acl',
    'quota',
    'ca-certificates',
    'openssl',
  ],
  ...['nginx-light', 'php-fpm', 'php-cli', 'php-mysql', 'mariadb-server', 'git', 'unzip', 'curl'],
  // `php` is listed explicitly, so that no dependency installs Apache.
  ...['php', 'php-curl', 'php-gd', 'php-intl', 'php-mbstring', 'php-xml', 'php-zip'],
  // Tests use these packages as the mirror from which WordPress is unpacked.
  ...['wordpress', 'wordpress-theme-twentytwentythree'],
];

/** Units that a box does not need: unused consoles, and timers that would disturb a measurement. */
const MASKED_UNITS = [
  ...['getty.target', 'console-getty.service', 'getty@tty1.service', 'container-getty@.service'],
  ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'dpkg-db-backup.timer', 'fstrim.timer'],
  ...['e2scrub_all.timer', 'e2scrub_reap.service', 'systemd-networkd.service', 'systemd-networkd.socket'],
  ...['sys-kernel-debug.mount', 'sys-kernel-tracing.mount', 'sys-kernel-config.mount', 'dev-hugepages.mount'],
];

const LEFT_OUT = ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*'];

/** Returns the path of the base root file system. Builds it if it is missing: the first build takes about 1 minute. */
export async function ensureRootfs(options: BuildOptions): Promise<string> {
  return await ensureDebianRoot(
    {
      name: 'rootfs',
      purpose: 'the root file system of the boxes',
      recipe: { SUITE, PACKAGES, MASKED_UNITS, LEFT_OUT },
      argv: [
        `--include=${PACKAGES.join(',')}`,
        ...LEFT_OUT.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
      ],
      suite: SUITE,
      finish: maskUnits,
    },
    options,
  );
}

async function maskUnits(root: string): Promise<void> {
  for (const unit of MASKED_UNITS) {
    const path = join(root, 'etc/systemd/system', unit);
    await rm(path, { force: true });
    await symlink('/dev/null', path);
  }
  // A box reaches no name server: without one in the configuration a DNS lookup fails at once and does not wait for a
  // timeout.
  await rm(join(root, 'etc/resolv.conf'), { force: true });
  await writeFile(join(root, 'etc/resolv.conf'), '');
}
