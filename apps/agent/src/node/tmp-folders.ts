import type { Changes } from './changes.ts';
import type { TmpFolders } from './host.ts';
import { HostError } from './host-error.ts';
import { statIfThere } from './if-there.ts';
import type { Owner } from './owner.ts';
import { RootFolder } from './root-folder.ts';

/**
 * Files that accounts write to /tmp and /var/tmp are on the file system of their homes, in folders that only root can
 * change. So the quota counts them, the disk measurement includes them, and no path leads through a home. Sessions have
 * one by name, as pam_namespace creates it; units have one by uid (docs/design/node-accounts-and-slices.md).
 */
const TMP = '/home/.innkeeper-tmp';
const UNITS = `${TMP}/units`;
const MODE = 0o700;

export const TMP_FOLDERS: readonly string[] = [`${TMP}/tmp`, `${TMP}/var-tmp`, UNITS];

/** Returns every folder where an account may have temporary files on disk. */
export function tmpPlaces({ name, uid }: Owner, base = TMP): string[] {
  return [`${base}/tmp/${name}`, `${base}/var-tmp/${name}`, unitTmp(uid, base)];
}

/** Returns the folder that units of the account see as /tmp and /var/tmp. */
export function unitTmp(uid: number, base = TMP): string {
  return `${base}/units/${uid}`;
}

export class HomeTmpFolders implements TmpFolders {
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  async isRight(owner: Owner): Promise<boolean> {
    const entry = await statIfThere(unitTmp(owner.uid));
    return entry?.isDirectory() === true && entry.uid === owner.uid && (entry.mode & 0o7777) === MODE;
  }

  async make(owner: Owner): Promise<void> {
    const { uid } = owner;
    const made = await RootFolder.within(UNITS, async (units) => {
      const name = `${uid}`;
      if ((await units.entry(name)) === undefined) await units.makeFolder(name, MODE);
      await units.giveFolder(name, { uid, gid: uid, mode: MODE }, (stats) => [0, uid].includes(stats.uid));
      return true;
    });
    if (made === undefined) throw new HostError('Failed', `${UNITS} is missing: run the installer again.`);
    this.#changes.record();
  }
}
