import { readdir, readFile } from 'node:fs/promises';
import { ifThere } from './if-there.ts';

const NAMES: ReadonlySet<string> = new Set(['dpkg', 'apt', 'apt-get', 'aptitude', 'unattended-upgr']);

/** Returns whether a package manager of Debian is installing or removing packages now. */
export async function runningPackageManager(): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const names = await Promise.all(
    pids.map((pid) => ifThere(readFile(`/proc/${pid}/comm`, 'utf8')).catch(() => undefined)),
  );
  return names.some((name) => name !== undefined && NAMES.has(name.trim()));
}
