import { chmod, chown, mkdir, rmdir, unlink } from 'node:fs/promises';
import { replaceFile } from './durable-files.ts';
import { ifThere, listIfThere } from './if-there.ts';

/** For files that only root can write and only one account's group can read, in a folder of that account. */
const FOLDER_MODE = 0o750;
export const ACCOUNT_CONFIG_MODE = 0o640;

/** Replaces a file of the folder atomically, and creates the folder if it is missing. */
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

/** Also removes temporary files left by a crash. */
export async function removeAccountConfigs(folder: string): Promise<void> {
  for (const name of await listIfThere(folder)) await unlink(`${folder}/${name}`);
  await ifThere(rmdir(folder));
}
