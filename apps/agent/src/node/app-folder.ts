import { join } from 'node:path';

/** The page of a new document root; nginx shows it where no other index is. */
export const WELCOME_FILE = 'innkeeper-welcome.php';

/** Where things lie in an app's folder. The agent looks at them, and the task puts them there. */
export const currentLink = (folder: string) => join(folder, 'current');
export const releasesFolder = (folder: string) => join(folder, 'releases');
export const releaseFolder = (folder: string, release: string) => join(folder, 'releases', release);
/** What a release is unpacked to, until it is whole. */
export const stagingFolder = (folder: string, release: string) => join(folder, 'releases', `${release}.new`);
/** Notes of tasks. */
export const notesFolder = (folder: string) => join(folder, '.deploy');
/** Once a release is whole and built. */
export const readyNote = (folder: string, release: string) => join(folder, '.deploy', `ready-${release}`);
/** While a release is built. */
export const buildingNote = (folder: string, release: string) =>
  join(folder, '.deploy', `building-${release}`);
export const resultNote = (folder: string) => join(folder, '.deploy', 'result.json');
/** What `current` says for a release. */
export const currentTarget = (release: string) => `releases/${release}`;
/** What the link of a site or of a folder says, from as many folders down as it lies in. */
export const linkTarget = (folder: string, link: string) =>
  `${'../'.repeat(link.split('/').length - 1)}${folder}/current`;
