import { chmod, chown, mkdir, rmdir, unlink } from 'node:fs/promises';
import { replaceFile } from './config-file.ts';
import { ifThere, listIfThere } from './if-there.ts';

/** Files that root alone writes and one account's group alone reads, in a folder of that account. */
const FOLDER_MODE = 0o750;
export const ACCOUNT_CONFIG_MODE = 0o640;

/** Replaces a file of the folder at once, and makes the folder where it is not there. */
export async function writeAccountConfig(
  folder: string,
  name: string,
  text: string,
  uid: number,
): Promise<void> {
  await mkdir(folder, { mode: 0o700, recursive: true });
  await chown(folder, 0, uid);
  await chmod(folder, FOLDER_MODE);
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  await replaceFile(`${folder}/${name}`, bytes, { mode: ACCOUNT_CONFIG_MODE, gid: uid });
}

/** With what a crash left of a file that was being written. */
export async function removeAccountConfigs(folder: string): Promise<void> {
  for (const name of await listIfThere(folder)) await unlink(`${folder}/${name}`);
  await ifThere(rmdir(folder));
}
