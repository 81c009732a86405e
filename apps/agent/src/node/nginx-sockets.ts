import type { Stats } from 'node:fs';
import type { Systemd, UnitState } from './host.ts';
import { statIfThere } from './if-there.ts';

/**
 * Sockets on which systemd listens for nginx. They are root's, and of nginx's group because their folder is: systemd
 * opens a socket that it need not give away without a process of its own (docs/design/web-and-certificates.md).
 */
const FOLDER_MODE = 0o2750;
const SOCKET_MODE = 0o660;
const FOLDERS_UNIT = 'innkeeper-folders.service';
/** States of a socket unit; `running`: its service has been started, and was given the socket. */
const LISTENING = new Set(['listening', 'running']);

/** Makes the folder, or makes it right, by the hand of systemd: the agent's fence lets it set no setgid bit. */
export async function prepareSocketFolder(folder: string, webGid: number, systemd: Systemd): Promise<void> {
  const found = await statIfThere(folder);
  const isRight =
    found?.isDirectory() && isRootsAndOf(webGid, found) && (found.mode & 0o7777) === FOLDER_MODE;
  if (!isRight) await systemd.start([FOLDERS_UNIT]);
}

/** Whether systemd listens there, and nginx may connect and no account. */
export function isOpenToNginx(unit: UnitState, socket: Stats | undefined, webGid: number): boolean {
  if (!LISTENING.has(unit.sub) || !socket?.isSocket()) return false;
  return isRootsAndOf(webGid, socket) && (socket.mode & 0o777) === SOCKET_MODE;
}

function isRootsAndOf(gid: number, entry: Stats): boolean {
  return entry.uid === 0 && entry.gid === gid;
}
