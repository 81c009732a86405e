import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import { OWNERSHIP_HEADER } from './config-file.ts';
import { type Site, type SiteKind, siteKinds } from './host.ts';
import { refused } from './host-error.ts';

/**
 * The lists that nginx's server blocks include: names by kind, and by name the uid, document root, socket and
 * certificate. Text is made from values that match strict patterns only, so that nothing else gets in.
 *
 * A site answers for `www.` before its name too, unless that name is a site itself or would be too long.
 */
const mapNames = ['uid.map', 'root.map', 'socket.map', 'certificate.map'] as const;
export const listNames = [
  'sizes.conf',
  ...mapNames,
  ...siteKinds.map((kind): `${SiteKind}.names` => `${kind}.names`),
] as const;
type ListName = (typeof listNames)[number];
export type Lists = Readonly<Record<ListName, string>>;
/** Sites by the uid of their account. */
export type SitesByUid = ReadonlyMap<number, readonly Site[]>;

const ROOT_PATTERN = /^\/home\/[a-z0-9_-]+(?:\/[a-z0-9._-]+)*$/;
const SOCKET_PATTERN = /^\/run\/innkeeper\/[a-z0-9-]+(?:\/[a-z0-9-]+)*\.sock$/;
const CERTIFICATE_PATTERN = /^[a-z0-9-]+(?:[./][a-z0-9-]+)*$/;
const MAX_NAME_LENGTH = 253;
const CACHE_LINE = 64;
const header = `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n`;

/** Throws HostError `Refused` for a value that must not reach a configuration file. */
export function assertSites(sites: readonly Site[]): void {
  for (const { name, root, socket, certificate, aliasCertificate } of sites) {
    if (!DOMAIN_NAME_PATTERN.test(name)) throw unfit('name');
    if (!ROOT_PATTERN.test(root) || root.includes('/..')) throw unfit('root');
    if (socket !== null && !SOCKET_PATTERN.test(socket)) throw unfit('socket');
    for (const key of [certificate, aliasCertificate])
      if (key !== null && !CERTIFICATE_PATTERN.test(key)) throw unfit('certificate');
  }
}

function unfit(what: string): Error {
  return refused(`A site has a ${what} that nginx must not see.`);
}

export function renderLists(sites: SitesByUid): Lists {
  const entries = entriesOf(sites).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const map = (valueIn: (entry: Entry) => number | string | null) =>
    header +
    entries
      .map((entry) => {
        const value = valueIn(entry);
        return value === null ? '' : `${entry.name} ${value};\n`;
      })
      .join('');
  const names = (kind: SiteKind) =>
    header +
    entries.flatMap((entry) => (entry.kind === kind ? [`server_name ${entry.name};\n`] : [])).join('');
  return {
    'sizes.conf': header + sizes(entries.map((entry) => entry.name)),
    'uid.map': map(({ uid }) => uid),
    'root.map': map(({ root }) => root),
    'socket.map': map(({ socket }) => socket),
    'certificate.map': map(({ certificate }) => certificate),
    ...(Object.fromEntries(siteKinds.map((kind) => [`${kind}.names`, names(kind)])) as Record<
      `${SiteKind}.names`,
      string
    >),
  };
}

/**
 * The sites that lists speak of. A site some of whose lines are missing or wrong has the root `''`, which
 * no site should have.
 */
export function parseLists(lists: Lists): Map<number, Site[]> {
  const roots = new Map(pairs(lists['root.map']));
  const sockets = new Map(pairs(lists['socket.map']));
  const certificates = new Map(pairs(lists['certificate.map']));
  const kinds = new Map<string, SiteKind>();
  for (const kind of siteKinds) for (const name of serverNames(lists[`${kind}.names`])) kinds.set(name, kind);
  const uids = new Map(pairs(lists['uid.map']).map(([name, uid]) => [name, Number(uid)]));
  const isAlias = (name: string, site: string) =>
    roots.has(site) && roots.get(name) === roots.get(site) && uids.get(name) === uids.get(site);
  const sites = new Map<number, Site[]>();
  for (const [name, uid] of uids) {
    if (name.startsWith('www.') && isAlias(name, name.slice(4))) continue;
    const kind = kinds.get(name);
    const socket = sockets.get(name) ?? null;
    const alias = aliasOf(name);
    const hasAlias = alias !== undefined && isAlias(alias, name);
    const isAliasLost = alias !== undefined && !hasAlias && !isSiteOfItsOwn(alias);
    const isAliasOff = hasAlias && (kinds.get(alias) !== kind || (sockets.get(alias) ?? null) !== socket);
    const isWhole = kind !== undefined && !isAliasLost && !isAliasOff;
    const site = {
      name,
      kind: kind ?? 'php',
      root: isWhole ? (roots.get(name) ?? '') : '',
      socket,
      certificate: certificates.get(name) ?? null,
      aliasCertificate: hasAlias ? (certificates.get(alias) ?? null) : null,
    };
    const known = sites.get(uid);
    if (known === undefined) sites.set(uid, [site]);
    else known.push(site);
  }
  return sites;

  function isSiteOfItsOwn(name: string): boolean {
    return uids.has(name) && roots.has(name);
  }
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
    if (alias === undefined || taken.has(alias)) return [entry];
    return [entry, { ...entry, name: alias, certificate: entry.aliasCertificate }];
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
