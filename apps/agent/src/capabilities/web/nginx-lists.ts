import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { refused } from '../../node/host-error.ts';
import { type Site, type SiteKind, siteKinds } from './host.ts';

/**
 * The lists that nginx's server blocks include. Every byte costs time at each reload, and each server name costs once
 * for each listening address, so each fact is written once:
 * - `site.map`: the owner of a site and the place of its files or its socket.
 * - `certificate.map`: the certificates of a site.
 * - the lists of names: the kind of a site, unless it has the default kind.
 *
 * Text is built only from values that match strict patterns, so nothing else can be injected.
 *
 * A site also answers for `www.` before its name, unless that name is a site itself or would be too long. Sites whose
 * own name begins with `www.` are in `www.map`.
 */
export const listNames = [
  'sizes.conf',
  'site.map',
  'certificate.map',
  'www.map',
  ...siteKinds.map((kind): `${SiteKind}.names` => `${kind}.names`),
] as const;
type ListName = (typeof listNames)[number];
export type Lists = Readonly<Record<ListName, string>>;
/** The default kind: its server answers for every name that no other server has. */
const USUAL: SiteKind = 'php';
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
  return refused(`A site has a ${what} that is not allowed in the nginx configuration.`);
}

/**
 * Returns the lists with every account's sites. An account whose sites are the same array as before costs almost
 * nothing.
 */
export function renderLists(sites: SitesByUid): Lists {
  const parts = partsOf(sites);
  return { ...listsOf(parts, parts), [`${USUAL}.names`]: header };
}

/**
 * Returns the lists for nginx to test, with the hash sizes of the full lists. Every name is there, so nginx reports the
 * names that another server claims. With `uids`, only those accounts are included.
 */
export function renderTest(sites: SitesByUid, uids?: ReadonlySet<number>): Lists {
  const parts = partsOf(sites);
  return listsOf(uids === undefined ? parts : parts.filter(({ uid }) => uids.has(uid)), parts);
}

function listsOf(shown: readonly Part[], all: readonly Part[]): Lists {
  const list = (name: keyof Part['lines']) => header + shown.map(({ lines }) => lines[name]).join('');
  return {
    'sizes.conf': header + sizes(all),
    'site.map': list('site.map'),
    'certificate.map': list('certificate.map'),
    'www.map': list('www.map'),
    ...(Object.fromEntries(siteKinds.map((kind) => [`${kind}.names`, list(`${kind}.names`)])) as Record<
      `${SiteKind}.names`,
      string
    >),
  };
}

/** Returns the sites in the lists. A site with missing or wrong lines has the root `''`, which no real site has. */
export function parseLists(lists: Lists): Map<number, Site[]> {
  const fields = (list: ListName) =>
    pairs(lists[list]).map(([name, value]) => [name, value.split(':')] as const);
  const described = new Map(fields('site.map'));
  const certificates = new Map(fields('certificate.map'));
  const ownWww = new Set(pairs(lists['www.map']).map(([name]) => name));
  const kinds = new Map<string, SiteKind>();
  for (const kind of siteKinds.filter((some) => some !== USUAL))
    for (const name of serverNames(lists[`${kind}.names`])) kinds.set(name, kind);
  const sites = new Map<number, Site[]>();
  for (const [name, [owner, root, socket]] of described) {
    const uid = Number(owner);
    if (!Number.isInteger(uid)) continue;
    const kind = kinds.get(name) ?? USUAL;
    const alias = aliasOf(name);
    const isWhole =
      ownWww.has(name) === isWww(name) &&
      (alias === undefined || described.has(alias) || (kinds.get(alias) ?? USUAL) === kind);
    const [certificate, aliasCertificate] = certificates.get(name) ?? [];
    const site = {
      name,
      kind,
      root: (isWhole ? root : undefined) ?? '',
      socket: socket || null,
      certificate: certificate || null,
      aliasCertificate: isWww(name) ? null : aliasCertificate || null,
    };
    const known = sites.get(uid);
    if (known === undefined) sites.set(uid, [site]);
    else known.push(site);
  }
  return sites;
}

/** Returns every name that nginx answers for, with the uid of its owner. */
export function ownersOf(sites: SitesByUid): Map<string, number> {
  const explicit = [...sites].flatMap(([uid, own]) => own.map(({ name }) => [name, uid] as const));
  const aliases = explicit.flatMap(([name, uid]) => {
    const alias = aliasOf(name);
    return alias === undefined ? [] : [[alias, uid] as const];
  });
  return new Map([...aliases, ...explicit]);
}

/** The lines that one account adds to the lists. */
interface Part {
  readonly uid: number;
  /** Aliases that are left out, because they are sites of their own. */
  readonly without: string;
  readonly lines: Readonly<Record<Exclude<ListName, 'sizes.conf'>, string>>;
  readonly names: number;
  readonly longest: number;
}

const knownParts = new WeakMap<readonly Site[], Part>();

function partsOf(sites: SitesByUid): Part[] {
  const ownWww = new Set<string>();
  for (const own of sites.values()) for (const { name } of own) if (isWww(name)) ownWww.add(name);
  return [...sites].toSorted(([one], [other]) => one - other).map(([uid, own]) => partOf(uid, own, ownWww));
}

function partOf(uid: number, sites: readonly Site[], ownWww: ReadonlySet<string>): Part {
  const taken = ownWww.size === 0 ? [] : sites.flatMap(({ name }) => aliasOf(name) ?? []).filter(isTaken);
  const without = taken.join();
  const known = knownParts.get(sites);
  if (known?.uid === uid && known.without === without) return known;
  const lines = Object.fromEntries(listNames.map((name) => [name, ''])) as Record<ListName, string>;
  const part = { uid, without, lines, names: 0, longest: 0 };
  // Lost lines of a site are not guessed here: the next pass of its account restores them.
  for (const site of sites.filter(({ root }) => root !== '')) {
    const alias = aliasOf(site.name);
    const names = alias === undefined || isTaken(alias) ? [site.name] : [site.name, alias];
    lines['site.map'] += `${site.name} ${uid}:${site.root}:${site.socket ?? ''};\n`;
    if (site.certificate !== null || site.aliasCertificate !== null)
      lines['certificate.map'] += `${site.name} ${certificatesOf(site)};\n`;
    if (isWww(site.name)) lines['www.map'] += `${site.name} ${site.name};\n`;
    lines[`${site.kind}.names`] += `server_name ${names.join(' ')};\n`;
    part.names += names.length;
    part.longest = Math.max(part.longest, ...names.map((name) => name.length));
  }
  knownParts.set(sites, part);
  return part;

  function isTaken(alias: string): boolean {
    return ownWww.has(alias);
  }
}

/**
 * The certificate of the site and, after a colon, the certificate of its alias; null is written as nothing. nginx uses
 * the second one for every name that begins with `www.`, and that may be the name of the site itself.
 */
function certificatesOf({ name, certificate, aliasCertificate }: Site): string {
  return `${certificate ?? ''}:${(isWww(name) ? certificate : aliasCertificate) ?? ''}`;
}

function isWww(name: string): boolean {
  return name.startsWith('www.');
}

function aliasOf(name: string): string | undefined {
  const alias = `www.${name}`;
  return isWww(name) || alias.length > MAX_NAME_LENGTH ? undefined : alias;
}

/** Sizes for twice the number of names, so that nginx builds its hash tables without many attempts. */
function sizes(parts: readonly Part[]): string {
  const names = parts.reduce((sum, part) => sum + part.names, 0);
  const longest = parts.reduce((length, part) => Math.max(length, part.longest), 0);
  const max = Math.max(1_024, 2 ** Math.ceil(Math.log2(names * 2 + 1)));
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
  return text
    .split('\n')
    .flatMap((line) => /^server_name ([a-z0-9. -]+);$/.exec(line)?.[1]?.split(' ') ?? []);
}
