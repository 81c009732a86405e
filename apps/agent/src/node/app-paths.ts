import { join } from 'node:path';

/** The page of a new document root. nginx serves it where there is no other index. */
export const WELCOME_FILE = 'innkeeper-welcome.php';

/** Paths in an app's folder. The agent observes them; the task creates them. */
export const currentLink = (folder: string) => join(folder, 'current');
export const releasesFolder = (folder: string) => join(folder, 'releases');
export const releaseFolder = (folder: string, release: string) => join(folder, 'releases', release);
/** The folder into which a release is unpacked until it is complete. */
export const stagingFolder = (folder: string, release: string) => join(folder, 'releases', `${release}.new`);
/** Notes of tasks. */
export const notesFolder = (folder: string) => join(folder, '.deploy');
/** Exists once a release is complete and built. */
export const readyNote = (folder: string, release: string) => join(folder, '.deploy', `ready-${release}`);
/** Exists while a release is built. */
export const buildingNote = (folder: string, release: string) =>
  join(folder, '.deploy', `building-${release}`);
/** The commit that the last task cloned, with the release that it is for. */
export const commitNote = (folder: string) => join(folder, '.deploy', 'commit.json');
export const resultNote = (folder: string) => join(folder, '.deploy', 'result.json');
/** The target of `current` for a release. */
export const currentTarget = (release: string) => `releases/${release}`;
/** The target of the link of a site or folder, relative to the depth of the link. */
export const linkTarget = (folder: string, link: string) =>
  `${'../'.repeat(link.split('/').length - 1)}${folder}/current`;

export const APP_SOCKET_FOLDER = '/run/innkeeper/apps';

/** Path of the socket on which an app's program answers nginx. */
export function appSocketPath(appId: number): string {
  return `${APP_SOCKET_FOLDER}/${appId}.sock`;
}

/** Folder with the programs of a major version of Node.js. */
export function nodejsFolder(version: string): `/opt/innkeeper/node/${string}/bin` {
  return `/opt/innkeeper/node/${version}/bin`;
}
