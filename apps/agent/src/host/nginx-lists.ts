import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import { OWNERSHIP_HEADER } from './config-file.ts';
import type { Site, SiteKind } from './host.ts';
import { refused } from './host-error.ts';

/**
 * The lists that nginx's server blocks include: names by kind, uid and document root by name. Text is made
 * from names and roots that match strict patterns only, so that nothing but names and paths gets in.
 *
 * A site answers for `www.` before its name too, unless that name is a site itself or would be too long.
 */
export const listNames = ['sizes.conf', 'uid.map', 'root.map', 'php.names', 'suspended.names'] as const;
type ListName = (typeof listNames)[number];
export type Lists = Readonly<Record<ListName, string>>;
/** Sites by the uid of their account. */
export type SitesByUid = ReadonlyMap<number, readonly Site[]>;

const ROOT_PATTERN = /^\/home\/[a-z0-9_-]+(?:\/[a-z0-9._-]+)*$/;
const MAX_NAME_LENGTH = 253;
const CACHE_LINE = 64;
const header = `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n`;

/** Throws HostError `Refused` for a name or root that must not reach a configuration file. */
export function assertSites(sites: readonly Site[]): void {
  for (const { name, root } of sites) {
    if (!DOMAIN_NAME_PATTERN.test(name)) throw refused('A site has a name that nginx must not see.');
    if (!ROOT_PATTERN.test(root) || root.includes('/..'))
      throw refused('A site has a root that nginx must not see.');
  }
}

export function renderLists(sites: SitesByUid): Lists {
  const entries = entriesOf(sites).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = (kind: SiteKind) =>
    header +
    entries.flatMap((entry) => (entry.kind === kind ? [`server_name ${entry.name};\n`] : [])).join('');
  return {
    'sizes.conf': header + sizes(entries.map((entry) => entry.name)),
    'uid.map': header + entries.map(({ name, uid }) => `${name} ${uid};\n`).join(''),
    'root.map': header + entries.map(({ name, root }) => `${name} ${root};\n`).join(''),
    'php.names': names('php'),
    'suspended.names': names('suspended'),
  };
}

/**
 * The sites that lists speak of. A site some of whose lines are missing or wrong has the root `''`, which
 * no site should have.
 */
export function parseLists(lists: Lists): Map<number, Site[]> {
  const roots = new Map(pairs(lists['root.map']));
  const kinds = new Map<string, SiteKind>();
  for (const name of serverNames(lists['php.names'])) kinds.set(name, 'php');
  for (const name of serverNames(lists['suspended.names'])) kinds.set(name, 'suspended');
  const uids = new Map(pairs(lists['uid.map']).map(([name, uid]) => [name, Number(uid)]));
  const sites = new Map<number, Site[]>();
  for (const [name, uid] of uids) {
    const kind = kinds.get(name);
    const root = roots.get(name) ?? '';
    const bare = name.startsWith('www.') ? name.slice(4) : undefined;
    const isAlias = bare !== undefined && root !== '' && roots.get(bare) === root && uids.get(bare) === uid;
    if (isAlias) continue;
    const alias = aliasOf(name);
    const aliasRight =
      alias === undefined ||
      (uids.has(alias) &&
        (roots.get(alias) !== root || (kinds.get(alias) === kind && uids.get(alias) === uid)));
    const site = { name, kind: kind ?? 'php', root: kind !== undefined && aliasRight ? root : '' };
    const known = sites.get(uid);
    if (known === undefined) sites.set(uid, [site]);
    else known.push(site);
  }
  return sites;
}

/** Every name that nginx answers for, and the uid that it belongs to. */
export function ownersOf(sites: SitesByUid): Map<string, number> {
  return new Map(entriesOf(sites).map(({ name, uid }) => [name, uid]));
}

interface Entry extends Site {
  readonly uid: number;
}

function entriesOf(sites: SitesByUid): Entry[] {
  const explicit = [...sites].flatMap(([uid, list]) => list.map((site) => ({ ...site, uid })));
  const taken = new Set(explicit.map((entry) => entry.name));
  return explicit.flatMap((entry) => {
    const alias = aliasOf(entry.name);
    return alias === undefined || taken.has(alias) ? [entry] : [entry, { ...entry, name: alias }];
  });
}

function aliasOf(name: string): string | undefined {
  const alias = `www.${name}`;
  return name.startsWith('www.') || alias.length > MAX_NAME_LENGTH ? undefined : alias;
}

/** Room for twice the names, so that nginx finds a table without trying for long. */
function sizes(names: readonly string[]): string {
  const max = Math.max(1_024, 2 ** Math.ceil(Math.log2(names.length * 2 + 1)));
  const longest = names.reduce((length, name) => Math.max(length, name.length), 0);
  const bucket = Math.max(2 * CACHE_LINE, Math.ceil((longest + 40) / CACHE_LINE) * CACHE_LINE);
  return [
    `server_names_hash_max_size ${max};`,
    `server_names_hash_bucket_size ${bucket};`,
    `map_hash_max_size ${max};`,
    `map_hash_bucket_size ${bucket};`,
    '',
  ].join('\n');
}

function pairs(text: string): [string, string][] {
  return text.split('\n').flatMap((line) => {
    const [, name, value] = /^([a-z0-9.-]+) (\S+);$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as [string, string]];
  });
}

function serverNames(text: string): string[] {
  return text.split('\n').flatMap((line) => /^server_name ([a-z0-9.-]+);$/.exec(line)?.[1] ?? []);
}
