import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from '../processes/cached-build.ts';
import { ensureDebianRoot } from './debian-root.ts';

/**
 * The base root file systems. Boxes share them, read-only, below their own overlays.
 *
 * They match operators' servers before Innkeeper's installer runs: the packages, and nothing from Innkeeper.
 *
 * - `debian12`, `debian13`: with all packages that the installer needs
 * - `debian13-mysql`: Debian 13 with Oracle's MySQL 9.7 in place of MariaDB. Debian has that MySQL only in sid.
 * - `debian12-minimal`: a hoster's smallest image. What the installer lacks is in apt's cache, as a box reaches no mirror.
 */
export type BoxSystem = 'debian12' | 'debian13' | 'debian13-mysql' | 'debian12-minimal';

const SERVER = [
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
  ...['postfix', 'libsasl2-modules'],
];
const SITES = [
  ...['php-fpm', 'php-cli', 'php-mysql', 'git', 'unzip', 'curl'],
  // `php` is listed explicitly, so that no dependency installs Apache.
  ...['php', 'php-curl', 'php-gd', 'php-intl', 'php-mbstring', 'php-xml', 'php-zip'],
];
const FTP = ['proftpd-core', 'proftpd-mod-crypto'];
const HOSTING = [...SITES, ...FTP, 'mariadb-server'];
/** Tests use these packages as the mirror from which WordPress is unpacked. */
const WORDPRESS = ['wordpress', 'wordpress-theme-twentytwentythree'];

interface Recipe {
  suite: string;
  packages: readonly string[];
  /** Packages in apt's cache that are not installed. */
  downloaded?: readonly string[];
  /** Packages that come from sid. */
  fromSid?: readonly string[];
}

const SYSTEMS: Readonly<Record<BoxSystem, Recipe>> = {
  debian12: { suite: 'bookworm', packages: [...SERVER, 'nginx-light', ...HOSTING, ...WORDPRESS] },
  debian13: { suite: 'trixie', packages: [...SERVER, 'nginx', ...HOSTING] },
  'debian13-mysql': {
    suite: 'trixie',
    packages: [...SERVER, 'nginx', ...SITES, ...FTP, 'mysql-server'],
    fromSid: [
      ...['mysql-*', 'libgoogle-perftools4t64', 'libtcmalloc-minimal4t64', 'libnuma1', 'libunwind8'],
      ...['gcc-16-base', 'libgcc-s1', 'libstdc++6', 'libgomp1'],
    ],
  },
  'debian12-minimal': {
    suite: 'bookworm',
    packages: ['systemd', 'systemd-sysv', 'iproute2', 'openssh-server'],
    downloaded: [...SERVER, 'nginx', ...HOSTING],
  },
};

/** Postfix without a configuration, as the installer of the agent installs it: nothing listens on port 25. */
const PLAIN_POSTFIX =
  'echo "postfix postfix/main_mailer_type select No configuration" | chroot "$1" debconf-set-selections';

/** Units that a box does not need: unused consoles, and timers that would disturb a measurement. */
const MASKED_UNITS = [
  ...['getty.target', 'console-getty.service', 'getty@tty1.service', 'container-getty@.service'],
  ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'dpkg-db-backup.timer', 'fstrim.timer'],
  ...['e2scrub_all.timer', 'e2scrub_reap.service', 'systemd-networkd.service', 'systemd-networkd.socket'],
  ...['sys-kernel-debug.mount', 'sys-kernel-tracing.mount', 'sys-kernel-config.mount', 'dev-hugepages.mount'],
];

/** Debian's own FTP server starts with its package. On a server the installer masks it before it installs the package. */
const FTP_UNIT = 'proftpd.service';

const LEFT_OUT = ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*'];

/**
 * Returns the path of the base root file system of a system. Builds it if it is missing: the first build takes about 1
 * minute.
 */
export async function ensureRootfs(options: BuildOptions, system: BoxSystem = 'debian12'): Promise<string> {
  const { suite, packages, downloaded, fromSid } = SYSTEMS[system];
  const masked = FTP.some((name) => packages.includes(name)) ? [...MASKED_UNITS, FTP_UNIT] : MASKED_UNITS;
  return await ensureDebianRoot(
    {
      name: system === 'debian12' ? 'rootfs' : `rootfs-${system}`,
      purpose: `the root file system of the boxes with ${system}`,
      recipe: {
        SUITE: suite,
        PACKAGES: packages,
        MASKED_UNITS: masked,
        LEFT_OUT,
        DOWNLOADED: downloaded,
        PLAIN_POSTFIX,
        FROM_SID: fromSid,
      },
      argv: [
        `--include=${packages.join(',')}`,
        `--essential-hook=${PLAIN_POSTFIX}`,
        ...LEFT_OUT.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
        ...(downloaded === undefined ? [] : downloadOnly(downloaded)),
        ...(fromSid === undefined ? [] : fromSidOnly(fromSid)),
      ],
      suite,
      ...(fromSid === undefined ? {} : { sources: [suite, 'sid'].map(sourceOf) }),
      finish: (root) => maskUnits(root, masked),
    },
    options,
  );
}

function downloadOnly(packages: readonly string[]): string[] {
  const install = `apt-get install --yes --no-install-recommends --download-only ${packages.join(' ')}`;
  return [`--customize-hook=APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" ${install}`, '--skip=cleanup/apt'];
}

const sourceOf = (suite: string) => `deb http://deb.debian.org/debian ${suite} main`;

/** apt takes these packages from sid, and every other one from the suite of the root unless only sid has it. */
function fromSidOnly(packages: readonly string[]): string[] {
  const preferences = `Package: *
Pin: release n=sid
Pin-Priority: 100

Package: ${packages.join(' ')}
Pin: release n=sid
Pin-Priority: 990
`;
  return [
    // A package list of sid that is several days old in a mirror is good enough for a test.
    '--aptopt=Acquire::Check-Valid-Until "false"',
    `--setup-hook=printf '%s' '${preferences}' > "$1/etc/apt/preferences.d/sid"`,
  ];
}

async function maskUnits(root: string, units: readonly string[]): Promise<void> {
  for (const unit of units) {
    const path = join(root, 'etc/systemd/system', unit);
    await rm(path, { force: true });
    await symlink('/dev/null', path);
  }
  // A box reaches no name server: without one in the configuration a DNS lookup fails at once and does not wait for a
  // timeout.
  await rm(join(root, 'etc/resolv.conf'), { force: true });
  await writeFile(join(root, 'etc/resolv.conf'), '');
}
