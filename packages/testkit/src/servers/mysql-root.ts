import { join } from 'node:path';
import { ensureDebianRoot } from '../boxes/debian-root.ts';
import type { BuildOptions } from '../processes/cached-build.ts';

/**
 * Oracle's MySQL 9.7, which Debian has only in sid. Its programs run from their own root file system, with that root's
 * loader and libraries: nothing is installed on this machine, nothing is mounted, and starting it needs no privilege.
 */

const SUITE = 'sid';
const MIRROR = 'deb http://deb.debian.org/debian sid main';
const PACKAGES = ['mysql-server', 'ca-certificates'];
const LEFT_OUT = ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*'];

/** Returns the root file system with mysqld. The first build takes about 1 minute. */
export async function ensureMysqlRoot(options: BuildOptions): Promise<string> {
  return await ensureDebianRoot(
    {
      name: 'mysql',
      purpose: 'the root file system with MySQL',
      recipe: { SUITE, MIRROR, PACKAGES, LEFT_OUT },
      argv: [
        `--include=${PACKAGES.join(',')}`,
        ...LEFT_OUT.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
        // A package list of sid that is several days old in a mirror is good enough for a test.
        '--aptopt=Acquire::Check-Valid-Until "false"',
      ],
      suite: SUITE,
      sources: [MIRROR],
    },
    options,
  );
}

/** Returns the command that runs a program of the root, such as `/usr/sbin/mysqld`, without a chroot. */
export function fromRoot(root: string, program: string, args: readonly string[]): string[] {
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu');
  return [
    join(root, 'usr/lib64/ld-linux-x86-64.so.2'),
    '--library-path',
    libraries,
    join(root, program),
    ...args,
  ];
}
