import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Site, type SiteKind, siteKinds } from './host.ts';
import type { SitesFolder } from './sites-folder.ts';

/**
 * Until 2026-11-23 nginx read the sites from these lists. The installer calls this before it places a configuration
 * that looks sites up in the folder, so that no site is missing there. Returns the number of sites.
 */
export function adoptLists(
  folder: Pick<SitesFolder, 'place' | 'uids'>,
  live = '/etc/nginx/innkeeper/live',
): number {
  const read = (list: string) => {
    const path = join(live, list);
    return existsSync(path) ? readFileSync(path, 'latin1').split('\n') : [];
  };
  const pairs = (list: string) =>
    read(list).flatMap((line) => {
      const [, name, value] = /^([a-z0-9.-]+) (\S+);$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.split(':')] as const];
    });
  const kinds = new Map<string, SiteKind>();
  for (const kind of siteKinds)
    for (const line of read(`${kind}.names`)) {
      const [name] = /^server_name ([a-z0-9. -]+);$/.exec(line)?.[1]?.split(' ') ?? [];
      if (name !== undefined) kinds.set(name, kind);
    }
  const certificates = new Map(pairs('certificate.map'));
  const sites = new Map<number, Site[]>();
  for (const [name, [uid, root = '', socket = '']] of pairs('site.map')) {
    const user = /^\/home\/([^/]+)\//.exec(root)?.[1];
    if (user === undefined) continue;
    const [ofName, ofAlias] = certificates.get(name) ?? [];
    const isWww = name.startsWith('www.');
    const site: Site = {
      name,
      kind: kinds.get(name) ?? 'php',
      user,
      appId: socket === '' ? null : Number(/(\d+)\.sock$/.exec(socket)?.[1]),
      // The second column was that of every name that begins with www.
      certificate: (isWww ? ofAlias : ofName) || null,
      aliasCertificate: (isWww ? undefined : ofAlias) || null,
      settings: '',
      passwords: null,
    };
    sites.set(Number(uid), [...(sites.get(Number(uid)) ?? []), site]);
  }
  for (const uid of folder.uids) if (!sites.has(uid)) folder.place(uid, []);
  for (const [uid, own] of sites) folder.place(uid, own);
  return [...sites.values()].flat().length;
}
