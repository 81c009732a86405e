import { webUser } from '../capabilities/node-host.ts';
import { adoptLists } from '../capabilities/web/adopt-lists.ts';
import { SitesFolder } from '../capabilities/web/sites-folder.ts';
import { Changes } from '../node/changes.ts';

/** `adopt-sites`: makes links of the lists of an earlier release. Returns the exit code. */
export function adoptSites(write: (text: string) => void): number {
  write(`${adoptLists(new SitesFolder(webUser().gid, new Changes()))} sites\n`);
  return 0;
}
