import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { coalesce, type Request } from '../../node/coalesce.ts';
import type { Exec } from '../../node/exec.ts';
import type { PlacedFiles } from '../../node/host.ts';
import { conflict, HostError } from '../../node/host-error.ts';
import { endOldestWorkers, findNginxMaster, reloadNginx } from '../../node/nginx-process.ts';
import type { Owner } from '../../node/owner.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import type { Site, WebServer, WebState } from './host.ts';
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
import { ReloadPace } from './reload-pace.ts';
import { type AskNginx, askUntil } from './site-probe.ts';

interface Publication {
  readonly owner: Owner;
  readonly sites: readonly Site[];
}
type Publish = Request<Publication, void>;
/** `reload` belongs to no account: it writes the expected lists and reloads nginx. */
type Work = Publication | 'reload';

interface Live {
  readonly key: string;
  readonly lists: Lists;
  readonly sites: SitesByUid;
  /** Whether the lists are byte for byte what the agent writes for these sites. */
  readonly whole: boolean;
}

/**
 * Publishes sites. The live lists are the source of truth for what is served. All waiting publications become one
 * change of the lists and one reload. nginx tests the change first: its whole configuration, with the lines of the
 * changed accounts. The other accounts' lines were tested when they were published, and all names are known to be
 * different. A failed change leaves the last good lists live. The batch is then split until the faulty publication is
 * found, and only that one fails.
 *
 * A site counts as published once nginx has answered for it. The lists alone prove nothing while the file that includes
 * them is missing.
 *
 * A marker in /run exists from before the first rename until the reload is confirmed. So an agent that was killed in
 * between knows that nginx may still serve older lists. In that case all lists are tested.
 */
const PENDING = '/run/innkeeper/nginx-reload-pending';
/** nginx's own configuration and ours. */
const CONFIG_FOLDER = '/etc/nginx/';
/** A name that is in no list and in exactly one server block. */
const PROBE_NAME = 'static.innkeeper.invalid';
/** Each old worker keeps its own configuration in memory. */
const MOST_OLD_WORKERS = 64;

export interface NginxTools {
  readonly exec: Exec;
  readonly changes: Changes;
  readonly placed: PlacedFiles;
  readonly ask: AskNginx;
  /** Monotonic clock, ms. */
  readonly now: () => number;
}

export class Nginx implements WebServer, Traced {
  readonly #exec: Exec;
  readonly #changes: Changes;
  readonly #placed: PlacedFiles;
  readonly #ask: AskNginx;
  readonly #pace: ReloadPace;
  readonly #expected = new Map<number, readonly Site[]>();
  readonly #work = coalesce<Work, void>((requests) => this.#batch(requests));
  #batchUnderWay: Promise<void> | undefined;
  #reloads = 0;
  #cache: Live | undefined;
  /** Index of the site to probe next, so that every site gets its turn. */
  #probed = 0;

  constructor({ exec, changes, placed, ask, now }: NginxTools) {
    this.#exec = exec;
    this.#changes = changes;
    this.#placed = placed;
    this.#ask = ask;
    this.#pace = new ReloadPace(now);
  }

  get reloads(): number {
    return this.#reloads;
  }

  /** Returns whether a name is a site of its own, and not only the `www.` alias of a site. */
  hasSite(name: string): boolean {
    return [...this.#live().sites.values()].some((sites) => sites.some((site) => site.name === name));
  }

  async observe(owner: Owner): Promise<WebState> {
    await this.#batchUnderWay;
    const { sites, whole } = this.#live();
    // While a batch runs, the marker belongs to that batch and says nothing about this account.
    const current = this.#batchUnderWay !== undefined || !existsSync(PENDING);
    const own = sites.get(owner.uid) ?? [];
    const running = (await findNginxMaster()) !== undefined;
    return { sites: own, served: running ? current && whole : own.length === 0 };
  }

  expect(owner: Owner, sites: readonly Site[]): void {
    assertSites(sites);
    this.#expected.set(owner.uid, sites);
  }

  async publish(owner: Owner, sites: readonly Site[]): Promise<void> {
    assertSites(sites);
    await this.#pace.turn(owner.uid, sites);
    await this.#work({ owner, sites });
  }

  async reload(): Promise<void> {
    await this.#work('reload');
  }

  async check(): Promise<string[]> {
    await this.#batchUnderWay;
    if ((await findNginxMaster()) === undefined) return ['nginx does not run.'];
    if (!this.#live().whole || existsSync(PENDING)) await this.reload();
    const first = await askUntil(this.#ask, PROBE_NAME, 'static unknown');
    if (first !== 'static unknown') return [`nginx does not answer for the sites (${first}).`];
    const all = [...this.#live().sites.values()].flat();
    if (all.length === 0) return [];
    this.#probed = (this.#probed + 1) % all.length;
    const site = all[this.#probed]!;
    const answer = await askUntil(this.#ask, site.name, wantedAnswer(site));
    // A site that was published in the meantime is checked by its own publication.
    const isLive = [...this.#live().sites.values()].some((sites) => sites.includes(site));
    if (answer === wantedAnswer(site) || !isLive) return [];
    return [`nginx answers for a site otherwise than it should (${answer}).`];
  }

  async #batch(requests: readonly Request<Work, void>[]): Promise<void> {
    const publications = requests.filter((request): request is Publish => request.input !== 'reload');
    const reloads = requests.filter(({ input }) => input === 'reload');
    const batch = this.#publishBatch(publications, reloads.length > 0).then(() => {
      for (const { resolve } of reloads) resolve();
    });
    this.#batchUnderWay = batch.catch(() => undefined);
    try {
      await batch;
    } finally {
      this.#batchUnderWay = undefined;
    }
  }

  /** `always`: nginx reloads its configuration even if nothing changed. */
  async #publishBatch(requests: readonly Publish[], always = false): Promise<void> {
    const live = this.#live();
    const base = this.#withExpected(live.sites);
    const accepted = withoutTakenNames(requests, base);
    if (accepted.length === 0 && !always) return;
    const next = merge(base, accepted);
    const lists = renderLists(next);
    const isLive = listNames.every((name) => lists[name] === live.lists[name]);
    if (isLive && !existsSync(PENDING) && !always) {
      await this.#confirm(accepted, await findNginxMaster());
      return;
    }
    await this.#placed.repair(CONFIG_FOLDER);
    const changed = existsSync(PENDING) || always ? undefined : changedUids(live.sites, next);
    const test = await testLists(this.#exec, renderTest(next, changed));
    const claimed = namesClaimed(test.conflicting, live.sites, next);
    if (claimed.size > 0) return this.#retryWithout(accepted, claimed);
    if (!test.passed) return this.#findFault(accepted, test.message);
    await this.#confirm(accepted, await this.#goLive(lists, next, live.lists));
  }

  /** Live sites, and the expected sites of accounts that are completely missing from the lists. */
  #withExpected(live: SitesByUid): Map<number, readonly Site[]> {
    const sites = new Map(live);
    for (const [uid, expected] of this.#expected)
      if (!sites.has(uid) && expected.length > 0) sites.set(uid, expected);
    return sites;
  }

  /** While nginx does not run, nothing is served: that is correct only for accounts without sites. */
  async #confirm(requests: readonly Publish[], master: number | undefined): Promise<void> {
    await Promise.all(
      requests.map(async ({ input, resolve, reject }) => {
        if (input.sites.length === 0) this.#expected.delete(input.owner.uid);
        else this.#expected.set(input.owner.uid, input.sites);
        if (input.sites.length === 0) return resolve();
        const fault =
          master === undefined ? 'nginx does not run; it is started again.' : await this.#askFor(input.sites);
        if (fault === undefined) resolve();
        else reject(new HostError('Failed', fault));
      }),
    );
  }

  /** Probes one site of each kind: the answer shows which server block replied. */
  async #askFor(sites: readonly Site[]): Promise<string | undefined> {
    const some = [...new Map(sites.map((site) => [site.kind, site])).values()];
    for (const site of some) {
      const answer = await askUntil(this.#ask, site.name, wantedAnswer(site));
      if (answer !== wantedAnswer(site))
        return `nginx answers for ${site.name} otherwise than it should: "${answer}".`;
    }
    return undefined;
  }

  /** Retries without the publications whose names, keyed by uid, are claimed by a foreign server. */
  async #retryWithout(accepted: readonly Publish[], claimed: ReadonlyMap<number, string>): Promise<void> {
    for (const uid of claimed.keys()) this.#expected.delete(uid);
    const innocent = accepted.filter(({ input }) => !claimed.has(input.owner.uid));
    for (const { input, reject } of accepted) {
      const name = claimed.get(input.owner.uid);
      if (name === undefined) continue;
      reject(conflict(`nginx serves ${name} already, by a server block that is not Innkeeper's.`));
    }
    if (innocent.length > 0) await this.#publishBatch(innocent);
  }

  async #findFault(requests: readonly Publish[], message: string): Promise<void> {
    const untouched = await testConfiguration(this.#exec);
    if (!untouched.passed)
      throw new HostError(
        'Failed',
        `nginx refuses its own configuration, before any change: ${untouched.message}`,
      );
    if (requests.length === 0) throw new HostError('Failed', `nginx refuses the sites: ${message}`);
    if (requests.length === 1) {
      this.#expected.delete(requests[0]!.input.owner.uid);
      requests[0]!.reject(
        new HostError('Failed', `nginx refuses the sites of this account: ${message}`, { retryable: false }),
      );
      return;
    }
    const half = Math.ceil(requests.length / 2);
    for (const some of [requests.slice(0, half), requests.slice(half)]) await this.#publishBatch(some);
  }

  /** Returns the pid of the nginx master that now serves the lists; undefined while nginx does not run. */
  async #goLive(lists: Lists, sites: SitesByUid, before: Lists): Promise<number | undefined> {
    await writeFile(PENDING, '');
    await writeLive(lists, before, this.#changes);
    const master = await findNginxMaster();
    if (master !== undefined) await this.#reload(master, lists, before);
    await unlink(PENDING);
    this.#cache = { key: liveIdentity(), lists, sites, whole: true };
    return master;
  }

  /** Restores the previous lists when nginx rejects the new ones, so that its next start does not fail. */
  async #reload(master: number, lists: Lists, before: Lists): Promise<void> {
    try {
      await reloadNginx(master, this.#changes);
      this.#reloads += 1;
      await endOldestWorkers(master, MOST_OLD_WORKERS);
    } catch (error) {
      const test = await testConfiguration(this.#exec);
      if (test.passed) throw error;
      await writeLive(before, lists, this.#changes);
      throw new HostError('Failed', `nginx refuses its configuration: ${test.message}`);
    }
  }

  #live(): Live {
    const key = liveIdentity();
    if (this.#cache?.key === key) return this.#cache;
    const lists = Object.fromEntries(listNames.map((name) => [name, readList(name)])) as Lists;
    const sites = parseLists(lists);
    const right = renderLists(sites);
    this.#cache = { key, lists, sites, whole: listNames.every((name) => lists[name] === right[name]) };
    return this.#cache;
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const { sites } = await this.observe(owner);
    return sites.map((site) => left('site', site.name));
  }
}

function wantedAnswer({ kind }: Site): string {
  return `${kind} known`;
}

function merge(base: Map<number, readonly Site[]>, requests: readonly Publish[]): SitesByUid {
  const sites = new Map(base);
  for (const { input } of requests) {
    if (input.sites.length === 0) sites.delete(input.owner.uid);
    else sites.set(input.owner.uid, input.sites);
  }
  return sites;
}

/** Accounts whose sites have changed; unchanged sites are the same array. */
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

/** Names that a candidate adds and that a foreign server claims, keyed by the uid of the account. */
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

/** Changes whenever one of the lists changes. */
function liveIdentity(): string {
  return listNames
    .map((name) => {
      const stats = lstatSync(join(LIVE_FOLDER, name), { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
    })
    .join();
}
