import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { syncFolder } from '../../node/durable-files.ts';
import { conflict } from '../../node/host-error.ts';
import type { Site } from './host.ts';
import { bareOf, brokenSite, folderOf, linksOf, parseSites, parseTarget, targetText } from './site-links.ts';
import { TargetFolder } from './target-folder.ts';

/** nginx's configuration names it. nginx looks names up in it, and only root can list or change it. */
const SITES_FOLDER = '/etc/innkeeper/sites';
const FOLDER_MODE = 0o710;
const NEXT = '.next';

/** Entries of one account. */
interface Own {
  readonly names: Set<string>;
  /** Folders of its links' targets, shared by the names with the same values. */
  readonly targets: Set<string>;
}

interface Content {
  identity: string;
  readonly links: Map<string, string>;
  readonly byUid: Map<number, Own>;
}

/**
 * The links that nginx looks sites up by. Its content is kept in memory, and read again when somebody else has changed
 * the folder. Changes are synchronous: two accounts cannot both get a name.
 */
export class SitesFolder {
  readonly #webGid: number;
  readonly #changes: Changes;
  readonly #path: string;
  readonly #targets: TargetFolder;
  #content: Content | undefined;
  #reads = 0;
  #turns: Iterator<[string, string], undefined> = new Map<string, string>().entries();

  constructor(webGid: number, changes: Changes, path = SITES_FOLDER) {
    this.#webGid = webGid;
    this.#changes = changes;
    this.#path = path;
    this.#targets = new TargetFolder(webGid, changes, path);
  }

  /** The number of times that the whole folder was read: it grows when somebody else has changed the folder. */
  get reads(): number {
    this.#read();
    return this.#reads;
  }

  /** The accounts that have entries. */
  get uids(): number[] {
    return [...this.#read().byUid.keys()];
  }

  /** The sites of an account. Targets that a killed agent left show as a site without a user. */
  sitesOf(uid: number): Site[] {
    const { links, byUid } = this.#read();
    const { names, targets } = byUid.get(uid) ?? { names: [], targets: new Set<string>() };
    const isWhole = (text: string) => targets.has(folderOf(text)) && this.#targets.isWhole(text);
    const sites = parseSites(uid, names, links, isWhole);
    if (sites.length > 0) return sites;
    return [...targets].map((name) => ({ ...brokenSite, name }));
  }

  /** Returns one site after the other, and begins again. Undefined if there is none. */
  nextSite(): { readonly uid: number; readonly site: Site } | undefined {
    const { links } = this.#read();
    for (let visited = 0; visited <= links.size; visited += 1) {
      const { done, value: [name, text] = ['', ''] } = this.#turns.next();
      if (done === true) this.#turns = links.entries();
      const target = parseTarget(text);
      if (target === undefined || target.isAlias) continue;
      const site = this.sitesOf(target.uid).find((some) => some.name === name);
      if (site !== undefined) return { uid: target.uid, site };
    }
    return undefined;
  }

  /** Returns whether a name is a site of its own, and not only `www.` before one. */
  hasSite(name: string): boolean {
    return parseTarget(this.#read().links.get(name) ?? '')?.isAlias === false;
  }

  /** Throws HostError for a name that another account has. */
  assertFree(uid: number, sites: readonly Site[]): void {
    const { links } = this.#read();
    for (const { name } of sites) {
      const target = parseTarget(links.get(name) ?? '');
      if (target !== undefined && !target.isAlias && target.uid !== uid)
        throw conflict(`The site ${name} belongs to the account with uid ${target.uid}.`);
    }
  }

  /** Makes these the only sites of an account. nginx sees each link's change with the next request. */
  place(uid: number, sites: readonly Site[]): void {
    this.#ensureFolder();
    this.assertFree(uid, sites);
    const content = this.#read();
    const { links } = content;
    const { names, targets } = ownOf(content, uid);
    const isOthers = (name: string) => {
      const target = parseTarget(links.get(name) ?? '');
      return target !== undefined && !target.isAlias && target.uid !== uid;
    };
    const wanted = new Map(linksOf(uid, sites, isOthers));
    const gone = [...names].filter((name) => !wanted.has(name));
    // A request under way may have read a link just before it changed: its target stays until the next change.
    const used = new Set([...names].map((name) => folderOf(links.get(name) ?? '')));
    const unused = [...targets].filter((folder) => sites.length === 0 || !used.has(folder));
    const passwords = new Map(sites.map((site) => [site.settings, site.passwords]));
    try {
      for (const [name, text] of wanted)
        this.#link(content, name, text, passwords.get(parseTarget(text)!.settings) ?? null);
      for (const name of gone) {
        const site = name.startsWith('www.') && isOthers(bareOf(name)) ? links.get(bareOf(name)) : undefined;
        if (site === undefined) this.#unlink(content, name);
        // The name is that other site's again. Its certificate follows with the next pass of its account.
        else this.#link(content, name, aliasTarget(site), this.#targets.passwordsOf(site));
      }
      const needed = new Set([...wanted.values()].map(folderOf));
      for (const folder of unused) if (!needed.has(folder)) this.#removeTarget(content, folder);
      content.identity = this.#identity();
    } catch (error) {
      this.#content = undefined;
      throw error;
    }
  }

  /** Makes the changes survive a power failure. */
  async sync(): Promise<void> {
    await syncFolder(this.#path);
  }

  #link(content: Content, name: string, text: string, passwords: string | null): void {
    const { links } = content;
    const { targets } = ownOf(content, parseTarget(text)!.uid);
    const folder = folderOf(text);
    if (!targets.has(folder)) {
      mkdirSync(join(this.#path, folder), { mode: 0o700 });
      this.#changes.record();
      targets.add(folder);
    }
    if (!this.#targets.isWhole(text)) this.#targets.fill(text, passwords);
    if (links.get(name) === text) return;
    const next = join(this.#path, NEXT);
    rmSync(next, { force: true });
    symlinkSync(text, next);
    renameSync(next, join(this.#path, name));
    this.#changes.record();
    setLink(content, name, text);
  }

  #unlink(content: Content, name: string): void {
    unlinkSync(join(this.#path, name));
    this.#changes.record();
    setLink(content, name, undefined);
  }

  #removeTarget(content: Content, folder: string): void {
    rmSync(join(this.#path, folder), { recursive: true });
    this.#changes.record();
    ownOf(content, parseTarget(folder)!.uid).targets.delete(folder);
  }

  #ensureFolder(): void {
    const found = lstatSync(this.#path, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(this.#path);
    else if (found.gid === this.#webGid && found.uid === 0 && (found.mode & 0o7777) === FOLDER_MODE) return;
    chownSync(this.#path, 0, this.#webGid);
    chmodSync(this.#path, FOLDER_MODE);
    this.#changes.record();
  }

  #read(): Content {
    const identity = this.#identity();
    if (this.#content?.identity === identity) return this.#content;
    this.#reads += 1;
    const content: Content = { identity, links: new Map(), byUid: new Map() };
    for (const entry of identity === '' ? [] : readdirSync(this.#path, { withFileTypes: true })) {
      const target = parseTarget(entry.name);
      if (target !== undefined && entry.isDirectory()) ownOf(content, target.uid).targets.add(entry.name);
      else if (entry.isSymbolicLink() && entry.name !== NEXT)
        setLink(content, entry.name, readlinkSync(join(this.#path, entry.name), 'latin1'));
    }
    this.#content = content;
    return content;
  }

  /** Changes whenever an entry is added, replaced or removed. */
  #identity(): string {
    const stats = lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
  }
}

function ownOf({ byUid }: Content, uid: number): Own {
  const known = byUid.get(uid);
  if (known !== undefined) return known;
  const own: Own = { names: new Set(), targets: new Set() };
  byUid.set(uid, own);
  return own;
}

function setLink(content: Content, name: string, text: string | undefined): void {
  const { links } = content;
  const before = parseTarget(links.get(name) ?? '');
  if (before !== undefined) ownOf(content, before.uid).names.delete(name);
  const after = parseTarget(text ?? '');
  if (after !== undefined) ownOf(content, after.uid).names.add(name);
  if (text === undefined) links.delete(name);
  else links.set(name, text);
}

/** The target of `www.` before a site's name, without a certificate. */
function aliasTarget(site: string): string {
  return targetText({ ...parseTarget(site)!, certificate: null, isAlias: true });
}
