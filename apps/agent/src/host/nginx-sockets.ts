import type { Stats } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import type { Changes } from './changes.ts';
import { statIfThere } from './if-there.ts';

/**
 * Sockets on which systemd listens for nginx. They are root's, and of nginx's group because their folder is: systemd
 * opens a socket that it need not give away without a process of its own (docs/adr/0095-sockets-have-the-group-of-their-folder.md).
 */
const FOLDER_MODE = 0o2755;
const SOCKET_MODE = 0o660;

/** Makes the folder, or makes it right. */
export async function prepareSocketFolder(folder: string, webGid: number, changes: Changes): Promise<void> {
  const found = await statIfThere(folder);
  const isRight =
    found?.isDirectory() && isRootsAndOf(webGid, found) && (found.mode & 0o7777) === FOLDER_MODE;
  if (isRight) return;
  await mkdir(folder, { recursive: true });
  await chown(folder, 0, webGid);
  await chmod(folder, FOLDER_MODE);
  changes.record();
}

/** Whether nginx may connect, and no account. */
export function isForNginx(socket: Stats | undefined, webGid: number): boolean {
  return socket?.isSocket() === true && isRootsAndOf(webGid, socket) && (socket.mode & 0o777) === SOCKET_MODE;
}

function isRootsAndOf(gid: number, entry: Stats): boolean {
  return entry.uid === 0 && entry.gid === gid;
}
