import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** A block device of this machine. */
export interface BlockDevice {
  /** Such as `/dev/sda1`. */
  path: string;
  /** `major:minor` */
  number: string;
}

/** The block device below a folder; undefined where the file system has none of its own (btrfs, overlay). */
export async function findBlockDevice(folder: string): Promise<BlockDevice | undefined> {
  const { dev } = await stat(folder, { bigint: true });
  // The kernel's encoding of a device number as stat(2) gives it.
  const major = Number(((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn));
  const minor = Number((dev & 0xffn) | ((dev >> 12n) & ~0xffn));
  const number = `${major}:${minor}`;
  const uevent = await readFile(`/sys/dev/block/${number}/uevent`, 'utf8').catch(() => '');
  const name = /^DEVNAME=(.+)$/m.exec(uevent)?.[1];
  if (name === undefined || !existsSync(`/dev/${name}`)) return undefined;
  return { path: `/dev/${name}`, number };
}
