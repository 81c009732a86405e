import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertOwner } from './account-uid.ts';
import type { Changes } from './changes.ts';
import { coalesce, type Request } from './coalesce.ts';
import type { Exec } from './exec.ts';
import type { Owner, Site, WebServer, WebState } from './host.ts';
import { conflict, HostError } from './host-error.ts';
import { LIVE_FOLDER, testConfiguration, testLists, writeLive } from './nginx-candidate.ts';
import {
  assertSites,
  type Lists,
  listNames,
  ownersOf,
  parseLists,
  renderLists,
  renderTest,
  type SitesByUid,
} from './nginx-lists.ts';
import { findNginxMaster, reloadNginx } from './nginx-process.ts';

interface Publication {
  readonly owner: Owner;
  readonly sites: readonly Site[];
}
type Publish = Request<Publication, void>;

/**
 * Publishes sites. The live lists are the truth about what is served; all publications that wait become one change of
 * them and one reload. nginx tests the change first: its whole configuration, with what the lists say of the accounts
 * that change. The others' lines were tested when they came, and the names of all are known to be different. A change
 * that fails leaves the last good lists live, and is taken apart until the publication at fault is known: only that one
 * fails.
 *
 * A marker in /run stands from before the first rename until the reload is confirmed, so an agent that
 * was killed in between knows that nginx may still serve older lists. Then all that the lists say is tested.
 */
const PENDING = '/run/innkeeper/nginx-reload-pending';

export class Nginx implements WebServer {
  readonly #exec: Exec;
  readonly #changes: Changes;
  readonly #expected = new Map<number, readonly Site[]>();
  readonly #publish = coalesce<Publication, void>((requests) => this.#batch(requests));
  #batchUnderWay: Promise<void> | undefined;
  #reloads = 0;
  #cache: { key: string; lists: Lists; sites: SitesByUid } | undefined;

  constructor(exec: Exec, changes: Changes) {
    this.#exec = exec;
    this.#changes = changes;
  }

  get reloads(): number {
    return this.#reloads;
  }

  /** Whether a name is a site of somebody's, and not only `www.` before the name of one. */
  hasSite(name: string): boolean {
    return [...this.#live().sites.values()].some((sites) => sites.some((site) => site.name === name));
  }

  async observe(owner: Owner): Promise<WebState> {
    assertOwner(owner);
    await this.#batchUnderWay;
    const { sites } = this.#live();
    // A marker beside a batch that runs is the batch's own, and says nothing of this account.
    const current = this.#batchUnderWay !== undefined || !existsSync(PENDING);
    const own = sites.get(owner.uid) ?? [];
    const running = (await findNginxMaster()) !== undefined;
    return { sites: own, served: running ? current : own.length === 0 };
  }

  expect(owner: Owner, sites: readonly Site[]): void {
    assertOwner(owner);
    assertSites(sites);
    this.#expected.set(owner.uid, sites);
  }

  async publish(owner: Owner, sites: readonly Site[]): Promise<void> {
    assertOwner(owner);
    assertSites(sites);
    await this.#publish({ owner, sites });
  }

  async #batch(requests: readonly Publish[]): Promise<void> {
    const batch = this.#settle(requests);
    this.#batchUnderWay = batch.catch(() => undefined);
    try {
      await batch;
    } finally {
      this.#batchUnderWay = undefined;
    }
  }

  async #settle(requests: readonly Publish[]): Promise<void> {
    const live = this.#live();
    const base = this.#withExpected(live.sites);
    const accepted = withoutTakenNames(requests, base);
    if (accepted.length === 0) return;
    const next = merge(base, accepted);
    const lists = renderLists(next);
    if (listNames.every((name) => lists[name] === live.lists[name]) && !existsSync(PENDING)) {
      this.#confirm(accepted, await findNginxMaster());
      return;
    }
    const changed = existsSync(PENDING) ? undefined : changedUids(live.sites, next);
    const test = await testLists(this.#exec, renderTest(next, changed));
    const claimed = namesClaimed(test.conflicting, live.sites, next);
    if (claimed.size > 0) return this.#retryWithout(accepted, claimed);
    if (!test.passed) return this.#findFault(accepted, test.message);
    this.#confirm(accepted, await this.#goLive(lists, next, live.lists));
  }

  /** Live sites, and those of accounts that the lists have lost altogether. */
  #withExpected(live: SitesByUid): Map<number, readonly Site[]> {
    const sites = new Map(live);
    for (const [uid, expected] of this.#expected)
      if (!sites.has(uid) && expected.length > 0) sites.set(uid, expected);
    return sites;
  }

  /** While nginx does not run, nothing is served: that is right for those who have no sites. */
  #confirm(requests: readonly Publish[], master: number | undefined): void {
    for (const { input, resolve, reject } of requests) {
      if (input.sites.length === 0) this.#expected.delete(input.owner.uid);
      else this.#expected.set(input.owner.uid, input.sites);
      if (master !== undefined || input.sites.length === 0) resolve();
      else reject(new HostError('Failed', 'nginx does not run: start it with "systemctl start nginx".'));
    }
  }

  /** Without the publications whose names, by uid, are a foreign server's. */
  async #retryWithout(accepted: readonly Publish[], claimed: ReadonlyMap<number, string>): Promise<void> {
    for (const uid of claimed.keys()) this.#expected.delete(uid);
    const innocent = accepted.filter(({ input }) => !claimed.has(input.owner.uid));
    for (const { input, reject } of accepted) {
      const name = claimed.get(input.owner.uid);
      if (name === undefined) continue;
      reject(conflict(`nginx serves ${name} already, by a server block that is not Innkeeper's.`));
    }
    if (innocent.length > 0) await this.#settle(innocent);
  }

  async #findFault(requests: readonly Publish[], message: string): Promise<void> {
    const untouched = await testConfiguration(this.#exec);
    if (!untouched.passed)
      throw new HostError(
        'Failed',
        `nginx refuses its own configuration, before any change: ${untouched.message}`,
      );
    if (requests.length === 1) {
      this.#expected.delete(requests[0]!.input.owner.uid);
      requests[0]!.reject(
        new HostError('Failed', `nginx refuses the sites of this account: ${message}`, { retryable: false }),
      );
      return;
    }
    const half = Math.ceil(requests.length / 2);
    for (const some of [requests.slice(0, half), requests.slice(half)]) await this.#settle(some);
  }

  /** Gives the master that serves the lists now; undefined while nginx does not run. */
  async #goLive(lists: Lists, sites: SitesByUid, before: Lists): Promise<number | undefined> {
    await writeFile(PENDING, '');
    await writeLive(lists, before, this.#changes);
    const master = await findNginxMaster();
    if (master !== undefined) await this.#reload(master, lists, before);
    await unlink(PENDING);
    this.#cache = { key: liveIdentity(), lists, sites };
    return master;
  }

  /** Lists that nginx does not take are not left to its next start. */
  async #reload(master: number, lists: Lists, before: Lists): Promise<void> {
    try {
      await reloadNginx(master, this.#changes);
      this.#reloads += 1;
    } catch (error) {
      const test = await testConfiguration(this.#exec);
      if (test.passed) throw error;
      await writeLive(before, lists, this.#changes);
      throw new HostError('Failed', `nginx refuses its configuration: ${test.message}`);
    }
  }

  #live(): { lists: Lists; sites: SitesByUid } {
    const key = liveIdentity();
    if (this.#cache?.key === key) return this.#cache;
    const lists = Object.fromEntries(listNames.map((name) => [name, readList(name)])) as Lists;
    this.#cache = { key, lists, sites: parseLists(lists) };
    return this.#cache;
  }
}

function merge(base: Map<number, readonly Site[]>, requests: readonly Publish[]): SitesByUid {
  const sites = new Map(base);
  for (const { input } of requests) {
    if (input.sites.length === 0) sites.delete(input.owner.uid);
    else sites.set(input.owner.uid, input.sites);
  }
  return sites;
}

/** Accounts whose sites are not what they were; unchanged ones are the same array. */
function changedUids(before: SitesByUid, after: SitesByUid): Set<number> {
  return new Set([...after].filter(([uid, sites]) => before.get(uid) !== sites).map(([uid]) => uid));
}

/** Refuses the publications whose names another account has. */
function withoutTakenNames(requests: readonly Publish[], base: Map<number, readonly Site[]>): Publish[] {
  const owners = new Map<string, number>();
  const asking = new Set(requests.map(({ input }) => input.owner.uid));
  const wanted = new Set(requests.flatMap(({ input }) => input.sites.map(({ name }) => name)));
  for (const [uid, sites] of base)
    if (!asking.has(uid)) for (const { name } of sites) if (wanted.has(name)) owners.set(name, uid);
  return requests.filter(({ input, reject }) => {
    const taken = input.sites.find(({ name }) => (owners.get(name) ?? input.owner.uid) !== input.owner.uid);
    if (taken === undefined) {
      for (const { name } of input.sites) owners.set(name, input.owner.uid);
      return true;
    }
    reject(conflict(`The site ${taken.name} belongs to the account with uid ${owners.get(taken.name)}.`));
    return false;
  });
}

/** Names that a candidate adds and that a server of somebody else has, by the uid of the account. */
function namesClaimed(
  conflicting: readonly string[],
  live: SitesByUid,
  next: SitesByUid,
): Map<number, string> {
  if (conflicting.length === 0) return new Map();
  const [served, wanted] = [ownersOf(live), ownersOf(next)];
  const added = conflicting.filter((name) => wanted.has(name) && !served.has(name));
  return new Map(added.map((name) => [wanted.get(name)!, name]));
}

function readList(name: string): string {
  const path = join(LIVE_FOLDER, name);
  return existsSync(path) ? readFileSync(path, 'latin1') : '';
}

/** Changes whenever one of the lists does. */
function liveIdentity(): string {
  return listNames
    .map((name) => {
      const stats = lstatSync(join(LIVE_FOLDER, name), { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
    })
    .join();
}
