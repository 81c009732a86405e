import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import { refused } from '../../node/host-error.ts';
import { type Site, type SiteKind, siteKinds } from './host.ts';
import { isSettings } from './site-settings.ts';

/**
 * What nginx looks up for a request: a link with the requested name, and its target, whose path has all values of the
 * site (deploy/node/etc/nginx/conf.d/innkeeper.conf reads them). Text is built only from values that match strict
 * patterns, so nothing else can be injected.
 *
 * A site also answers for `www.` before its name, unless that name is a site itself or would be too long.
 */
export interface Target {
  readonly uid: number;
  readonly kind: SiteKind;
  readonly user: string;
  readonly certificate: string | null;
  readonly appId: number | null;
  /** The link's name is `www.` before the name of the site. */
  readonly isAlias: boolean;
  /** See `encodeSettings`. They may go on below the target's folder. */
  readonly settings: string;
}

/** Links by name: the text of their targets. */
export type Links = ReadonlyMap<string, string>;

const USER_PATTERN = /^[a-z0-9_-]{1,32}$/;
const CERTIFICATE_PATTERN = /^[a-z0-9-]{1,64}$/;
const TARGET_PATTERN = /^(\d{5,10}),([a-z]+),([a-z0-9_-]+),([a-z0-9-]*),(\d*),((?:www)?)(?:,(.+))?$/;
const MAX_NAME_LENGTH = 253;

/** Throws HostError `Refused` for a value that must not become a name in the folder. */
export function assertSites(sites: readonly Site[]): void {
  for (const { name, user, certificate, aliasCertificate, settings } of sites) {
    if (!DOMAIN_NAME_PATTERN.test(name)) throw unfit('name');
    if (!USER_PATTERN.test(user)) throw unfit('user');
    for (const key of [certificate, aliasCertificate])
      if (key !== null && !CERTIFICATE_PATTERN.test(key)) throw unfit('certificate');
    if (!isSettings(settings)) throw unfit('setting');
  }
}

function unfit(what: string): Error {
  return refused(`A site has a ${what} that nginx must not see.`);
}

/** Returns the links of an account's sites. `isSite`: whether a name is a site of any account. */
export function linksOf(uid: number, sites: readonly Site[], isSite: (name: string) => boolean): Links {
  const links = new Map<string, string>();
  for (const { name, aliasCertificate, passwords: _, ...site } of sites) {
    const alias = aliasOf(name);
    links.set(name, targetText({ ...site, uid, isAlias: false }));
    if (alias !== undefined && !isSite(alias) && !sites.some((other) => other.name === alias))
      links.set(alias, targetText({ ...site, certificate: aliasCertificate, uid, isAlias: true }));
  }
  return links;
}

export function targetText({ uid, kind, user, certificate, appId, isAlias, settings }: Target): string {
  const values = [uid, kind, user, certificate ?? '', appId ?? '', isAlias ? 'www' : ''];
  return [...values, ...(settings === '' ? [] : [settings])].join(',');
}

/** The name of the target's folder, beside the link. */
export function folderOf(text: string): string {
  return text.split('/', 1)[0] ?? '';
}

/** Undefined for a target that the agent did not make. */
export function parseTarget(text: string): Target | undefined {
  const [, uid, kind, user, certificate, appId, alias, settings = ''] = TARGET_PATTERN.exec(text) ?? [];
  if (!siteKinds.some((known) => known === kind) || !isSettings(settings)) return undefined;
  return {
    uid: Number(uid),
    kind: kind as SiteKind,
    user: user!,
    certificate: certificate || null,
    appId: appId === '' ? null : Number(appId),
    isAlias: alias === 'www',
    settings,
  };
}

/**
 * Returns the sites of an account from its links. A site with a missing or wrong link, or whose target is not whole, has
 * the user `''`, which no real site has.
 */
export function parseSites(
  uid: number,
  names: Iterable<string>,
  links: Links,
  isWhole: (target: string) => boolean,
): Site[] {
  return [...names].flatMap((name) => {
    const text = links.get(name) ?? '';
    const target = parseTarget(text);
    if (target?.uid !== uid) return [];
    const site = target.isAlias ? orphanOf(name, target, links) : siteOf(name, target, links);
    if (site === undefined) return [];
    const alias = links.get(`www.${name}`) ?? text;
    const isThere = [text, alias].every((some) => !isOf(uid, some) || isWhole(some));
    return [isThere ? site : { ...site, user: '' }];
  });
}

/** Whether a target belongs to an account. */
function isOf(uid: number, text: string): boolean {
  return text.startsWith(`${uid},`);
}

function siteOf(name: string, { uid, kind, user, certificate, appId, settings }: Target, links: Links): Site {
  const alias = aliasOf(name);
  const other = alias === undefined ? undefined : parseTarget(links.get(alias) ?? '');
  const isWhole =
    alias === undefined ||
    other?.isAlias === false ||
    (other?.uid === uid &&
      other.kind === kind &&
      other.user === user &&
      other.appId === appId &&
      other.settings === settings);
  const aliasCertificate = other?.isAlias === true ? other.certificate : null;
  return {
    name,
    kind,
    user: isWhole ? user : '',
    appId,
    certificate,
    aliasCertificate,
    settings,
    passwords: null,
  };
}

/** What is left of a site. */
export const brokenSite = {
  kind: 'stopped',
  user: '',
  appId: null,
  certificate: null,
  aliasCertificate: null,
  settings: '',
  passwords: null,
} as const;

/** An alias without its site. */
function orphanOf(name: string, { uid, kind }: Target, links: Links): Site | undefined {
  const site = parseTarget(links.get(bareOf(name)) ?? '');
  if (site?.uid === uid && !site.isAlias) return undefined;
  return { ...brokenSite, name, kind };
}

export function bareOf(alias: string): string {
  return alias.replace(/^www\./, '');
}

function aliasOf(name: string): string | undefined {
  const alias = `www.${name}`;
  return name.startsWith('www.') || alias.length > MAX_NAME_LENGTH ? undefined : alias;
}
