import type { Stats } from 'node:fs';
import type { Systemd, UnitState } from './host.ts';
import { statIfThere } from './if-there.ts';

/**
 * Sockets on which systemd listens for nginx. They are root-owned, and have nginx's group because their folder has it:
 * systemd starts no extra process for a socket whose owner it need not change (docs/design/web-and-certificates.md).
 */
const FOLDER_MODE = 0o2750;
const SOCKET_MODE = 0o660;
const FOLDERS_UNIT = 'innkeeper-folders.service';
/** States of a socket unit. `running`: its service was started and has received the socket. */
const LISTENING = new Set(['listening', 'running']);

/** Creates or repairs the folder through systemd, because the agent's sandbox does not allow it to set a setgid bit. */
export async function prepareSocketFolder(folder: string, webGid: number, systemd: Systemd): Promise<void> {
  const found = await statIfThere(folder);
  const isRight =
    found?.isDirectory() && isRootsAndOf(webGid, found) && (found.mode & 0o7777) === FOLDER_MODE;
  if (!isRight) await systemd.start([FOLDERS_UNIT]);
}

/** Returns whether systemd listens there, and nginx may connect and accounts may not. */
export function isOpenToNginx(unit: UnitState, socket: Stats | undefined, webGid: number): boolean {
  if (!LISTENING.has(unit.sub) || !socket?.isSocket()) return false;
  return isRootsAndOf(webGid, socket) && (socket.mode & 0o777) === SOCKET_MODE;
}

function isRootsAndOf(gid: number, entry: Stats): boolean {
  return entry.uid === 0 && entry.gid === gid;
}
