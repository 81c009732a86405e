import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.ts';
import { runProgram } from './program.ts';

/**
 * The base root file system that all boxes share, read-only, below their own overlays.
 *
 * It is what an operator's Debian 12 server looks like before Innkeeper's installer runs: the packages,
 * nothing of ours. It is built once for a list of packages and kept below /var/cache/innkeeper, under a
 * name that holds the hash of the recipe; it is built beside its place and renamed into it, under a lock,
 * so a folder of that name is always whole.
 */

const CACHE_DIR = '/var/cache/innkeeper';
const SUITE = 'bookworm';

const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'dbus', 'libpam-systemd', 'libpam-modules', 'login', 'passwd', 'procps'],
  ...['iproute2', 'openssh-server', 'cron', 'logrotate', 'acl', 'quota', 'ca-certificates', 'openssl'],
  ...['nginx-light', 'php-fpm', 'php-cli', 'php-mysql', 'mariadb-server', 'git', 'unzip', 'curl'],
];

/** Units that have no work in a box: consoles nobody sees, and timers that would disturb a measurement. */
const MASKED_UNITS = [
  ...['getty.target', 'console-getty.service', 'getty@tty1.service', 'container-getty@.service'],
  ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'dpkg-db-backup.timer', 'fstrim.timer'],
  ...['e2scrub_all.timer', 'e2scrub_reap.service', 'systemd-networkd.service', 'systemd-networkd.socket'],
  ...['sys-kernel-debug.mount', 'sys-kernel-tracing.mount', 'sys-kernel-config.mount', 'dev-hugepages.mount'],
];

const LEFT_OUT = ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*'];

export interface RootfsOptions {
  /** Where everything that the build says goes. */
  logFile: string;
  /** Called with a few words whenever the build reaches its next stage. */
  onStage?: (stage: string) => void;
}

/** Where the base root file system is, or will be. */
function rootfsPath(): string {
  const recipe = JSON.stringify({ SUITE, PACKAGES, MASKED_UNITS, LEFT_OUT });
  return join(CACHE_DIR, `rootfs-${createHash('sha256').update(recipe).digest('hex').slice(0, 12)}`);
}

/** Builds the base root file system unless it is there, and returns its path. The first build takes about a minute. */
export async function ensureRootfs(options: RootfsOptions): Promise<string> {
  const path = rootfsPath();
  if (await exists(path)) return path;
  await mkdir(CACHE_DIR, { recursive: true });
  await mkdir(dirname(options.logFile), { recursive: true });
  await withFileLock(join(CACHE_DIR, 'rootfs.lock'), async () => {
    if (await exists(path)) return;
    await removeUnfinished();
    const unfinished = `${path}.unfinished`;
    await bootstrap(unfinished, options);
    await maskUnits(unfinished);
    await rename(unfinished, path);
  });
  return path;
}

async function bootstrap(target: string, options: RootfsOptions): Promise<void> {
  const log = createWriteStream(options.logFile, { flags: 'a' });
  try {
    const argv = [
      'mmdebstrap',
      '--variant=minbase',
      '--format=directory',
      `--include=${PACKAGES.join(',')}`,
      ...LEFT_OUT.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
      ...(await aptProxyOptions()),
      SUITE,
      target,
    ];
    log.write(`${argv.join(' ')}\n`);
    const result = await runProgram(argv, {
      timeoutMs: 15 * 60_000,
      onOutput: (chunk) => {
        log.write(chunk);
        for (const [, stage] of chunk
          .toString('utf8')
          .matchAll(/^I: ((?:running|downloading|extracting|installing|cleaning) .+?)(?:\.\.\.)?$/gm)) {
          if (stage !== undefined) options.onStage?.(stage);
        }
      },
    });
    if (result.exitCode !== 0) {
      await rm(target, { recursive: true, force: true });
      const reasons = result.stderr
        .split('\n')
        .filter((line) => line.startsWith('E: '))
        .slice(-5);
      throw new Error(
        `mmdebstrap could not build the root file system of the boxes: ${reasons.join('; ')} (its log: ${options.logFile})`,
      );
    }
  } finally {
    await new Promise((resolve) => log.end(resolve));
  }
}

/** mmdebstrap leaves the machine's apt configuration aside; a proxy in it must still be used. */
async function aptProxyOptions(): Promise<string[]> {
  const { stdout } = await runProgram(['apt-config', 'dump', '--format', '%f "%v"%n', 'Acquire']);
  return stdout
    .split('\n')
    .filter((line) => /^Acquire::https?::Proxy(::\S+)? "[^"]+"$/i.test(line))
    .map((line) => `--aptopt=${line};`);
}

async function maskUnits(root: string): Promise<void> {
  for (const unit of MASKED_UNITS) {
    const path = join(root, 'etc/systemd/system', unit);
    await rm(path, { force: true });
    await symlink('/dev/null', path);
  }
  // No name server is in a box's reach: without one a look-up fails at once instead of waiting for it.
  await rm(join(root, 'etc/resolv.conf'), { force: true });
  await writeFile(join(root, 'etc/resolv.conf'), '');
}

async function removeUnfinished(): Promise<void> {
  for (const name of await readdir(CACHE_DIR)) {
    if (name.endsWith('.unfinished')) await rm(join(CACHE_DIR, name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
