import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** A block device of this machine. */
export interface BlockDevice {
  /** For example `/dev/sda1`. */
  path: string;
  /** `major:minor` */
  number: string;
}

/**
 * Returns the block device of the file system that contains a folder. Undefined if the file system has no block device
 * of its own (btrfs, overlay).
 */
export async function findBlockDevice(folder: string): Promise<BlockDevice | undefined> {
  const { dev } = await stat(folder, { bigint: true });
  // Decodes the kernel's device number from stat(2).
  const major = Number(((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn));
  const minor = Number((dev & 0xffn) | ((dev >> 12n) & ~0xffn));
  const number = `${major}:${minor}`;
  const uevent = await readFile(`/sys/dev/block/${number}/uevent`, 'utf8').catch(() => '');
  const name = /^DEVNAME=(.+)$/m.exec(uevent)?.[1];
  if (name === undefined || !existsSync(`/dev/${name}`)) return undefined;
  return { path: `/dev/${name}`, number };
}
