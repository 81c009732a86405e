import type { Changes } from '../../node/changes.ts';
import type { Exec } from '../../node/exec.ts';
import type { PlacedFiles } from '../../node/host.ts';
import { conflict, HostError } from '../../node/host-error.ts';
import { findNginxMaster, reloadNginx } from '../../node/nginx-process.ts';
import type { Owner } from '../../node/owner.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import { ConfigurationTest } from './configuration-test.ts';
import type { Site, WebServer, WebState } from './host.ts';
import { assertSites } from './site-links.ts';
import { type AskNginx, askUntil, isAnswer, isOurs } from './site-probe.ts';
import type { SitesFolder } from './sites-folder.ts';

/** nginx's own configuration and ours. */
const CONFIG_FOLDER = '/etc/nginx/';
/** A name that nobody has. */
const NOBODY = 'nobody.innkeeper.invalid';
/** nginx is reloaded at most this often because it does not answer for the sites. */
const BETWEEN_RELOADS_MS = 60_000;

export interface NginxTools {
  readonly exec: Exec;
  readonly changes: Changes;
  readonly placed: PlacedFiles;
  readonly folder: SitesFolder;
  readonly ask: AskNginx;
  /** Monotonic clock, ms. */
  readonly now: () => number;
}

/**
 * nginx looks sites up in a folder with each request (`SitesFolder`): a change of sites is a change of links there. Its
 * configuration changes with the agent's release only.
 *
 * A new name is requested first: whatever answers for it must be Innkeeper's server, and not one of an operator. A
 * name that an operator's server takes over later is found by `check`. Neither holds the account's other names back. A
 * change counts as published once nginx has answered for one site of each kind.
 */
export class Nginx implements WebServer, Traced {
  readonly #tools: NginxTools;
  readonly #test: ConfigurationTest;
  readonly #expected = new Map<number, readonly Site[]>();
  /** Live names for which another server block has answered. The next pass of their account asks again. */
  readonly #lost = new Set<string>();
  #reloads = 0;
  /** Reads of the folder when all accounts were last looked at. */
  #reads = 0;
  #reloadedAt = Number.NEGATIVE_INFINITY;

  constructor(tools: NginxTools) {
    this.#tools = tools;
    this.#test = new ConfigurationTest(tools.exec, tools.now);
  }

  get reloads(): number {
    return this.#reloads;
  }

  /** Returns whether a name is a site of its own, and not only the `www.` alias of a site. */
  hasSite(name: string): boolean {
    return this.#tools.folder.hasSite(name);
  }

  async observe(owner: Owner): Promise<WebState> {
    const sites = this.#tools.folder.sitesOf(owner.uid).filter(({ name }) => !this.#lost.has(name));
    return { sites, served: sites.length === 0 || (await findNginxMaster()) !== undefined };
  }

  expect(owner: Owner, sites: readonly Site[]): void {
    assertSites(sites);
    this.#expected.set(owner.uid, sites);
    this.#restore(owner.uid, sites);
  }

  async publish(owner: Owner, wanted: readonly Site[]): Promise<ReadonlyMap<string, string>> {
    assertSites(wanted);
    const { folder, placed } = this.#tools;
    const repaired = await placed.repair(CONFIG_FOLDER);
    if (repaired.restored.length > 0) await this.reload();
    const taken = await this.#takenNames(owner, wanted);
    const sites = wanted.filter(({ name }) => !taken.has(name));
    folder.place(owner.uid, sites);
    for (const { name } of wanted) this.#lost.delete(name);
    await folder.sync();
    if (sites.length === 0) this.#expected.delete(owner.uid);
    else this.#expected.set(owner.uid, sites);
    // While nginx does not run, nothing is served: that is correct only for accounts without sites.
    if (sites.length > 0 && (await findNginxMaster()) === undefined) throw notRunning();
    for (const site of new Map(sites.map((some) => [some.kind, some])).values())
      await this.#confirm(owner, site);
    return taken;
  }

  /** The names that another account or another server block has, with the reason. */
  async #takenNames({ uid }: Owner, sites: readonly Site[]): Promise<Map<string, string>> {
    const { folder } = this.#tools;
    const live = folder.sitesOf(uid).map(({ name }) => name);
    const known = new Set(live.filter((name) => !this.#lost.has(name)));
    const taken = new Map<string, string>();
    for (const site of sites)
      try {
        folder.assertFree(uid, [site]);
        // Nothing delays a suspension.
        if (!known.has(site.name) && site.kind !== 'suspended') await this.#checkNewName(site.name);
      } catch (error) {
        if (!(error instanceof HostError) || error.reason !== 'Conflict') throw error;
        taken.set(site.name, error.message);
      }
    return taken;
  }

  async reload(): Promise<void> {
    const fault = await this.#test.run();
    if (fault !== undefined) throw new HostError('Failed', `nginx refuses its configuration: ${fault}`);
    const master = await findNginxMaster();
    if (master === undefined) return;
    this.#reloadedAt = this.#tools.now();
    await reloadNginx(master, this.#tools.changes);
    this.#reloads += 1;
  }

  async check(): Promise<string[]> {
    const { ask, folder } = this.#tools;
    const { reads } = folder;
    if (reads !== this.#reads) for (const [uid, sites] of this.#expected) this.#restore(uid, sites);
    this.#reads = reads;
    if ((await findNginxMaster()) === undefined) return ['nginx does not run.'];
    const first = await this.#askNobody();
    if (first !== 'unknown') {
      // An agent that was killed before it reloaded nginx leaves it with an older configuration.
      if (this.#tools.now() - this.#reloadedAt > BETWEEN_RELOADS_MS) await this.reload();
      return [`nginx does not answer for the sites (${first}).`];
    }
    const refused =
      (await this.#test.current()) === undefined
        ? []
        : ['nginx refuses its configuration: nginx -t says why.'];
    const next = folder.nextSite();
    if (next === undefined) return refused;
    const { uid, site } = next;
    const wanted = answerOf(uid, site);
    const answer = await askUntil(ask, site.name, (text) => text === wanted);
    // A site that was published in the meantime is checked by its own publication.
    const isLive = folder.sitesOf(uid).some((some) => some.name === site.name && some.kind === site.kind);
    if (answer === wanted || !isLive) return refused;
    if (isAnswer(answer) && !isOurs(answer)) this.#lost.add(site.name);
    return [...refused, `nginx answers for a site otherwise than it should (${answer}).`];
  }

  /** Places the sites of an account that has lost all of them. A name that is taken by now waits for its pass. */
  #restore(uid: number, sites: readonly Site[]): void {
    const { folder } = this.#tools;
    if (sites.length === 0 || folder.sitesOf(uid).some(({ user }) => user !== '')) return;
    try {
      folder.place(uid, sites);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
    }
  }

  /** Throws HostError unless Innkeeper's server answers for a name that is not published yet. */
  async #checkNewName(name: string): Promise<void> {
    if ((await findNginxMaster()) === undefined) throw notRunning();
    const foreign = await this.#foreignAnswer(name);
    if (foreign === undefined) return;
    // nginx may have been reloaded between the two names, so the answer for this one counts once more.
    if (isAnswer(foreign) && (await this.#askNobody()) === 'unknown') {
      const again = await this.#foreignAnswer(name);
      if (again === undefined) return;
      if (isAnswer(again))
        throw conflict(`nginx serves ${name} already, by a server block that is not Innkeeper's.`);
    }
    throw new HostError('Failed', `nginx does not answer for ${name}: "${foreign}".`);
  }

  /** Returns what another server than Innkeeper's answers for a name, or nothing when Innkeeper's answers. */
  async #foreignAnswer(name: string): Promise<string | undefined> {
    const answers = await Promise.all(
      (['http', 'https'] as const).map((scheme) => askUntil(this.#tools.ask, name, isOurs, scheme)),
    );
    return answers.find((answer) => !isOurs(answer));
  }

  async #confirm({ uid }: Owner, site: Site): Promise<void> {
    const wanted = answerOf(uid, site);
    const answer = await askUntil(this.#tools.ask, site.name, (text) => text === wanted);
    if (answer !== wanted)
      throw new HostError('Failed', `nginx answers for ${site.name} otherwise than it should: "${answer}".`);
  }

  async #askNobody(): Promise<string> {
    return await askUntil(this.#tools.ask, NOBODY, (text) => text === 'unknown');
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const { sites } = await this.observe(owner);
    return sites.map((site) => left('site', site.name));
  }
}

function answerOf(uid: number, { kind }: Site): string {
  return `${kind} ${uid}`;
}

function notRunning(): HostError {
  return new HostError('Failed', 'nginx does not run; it is started again.');
}
