import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import type { Site } from './host.ts';
import { type Links, linksOf, parseSites, parseTarget } from './site-links.ts';

/** nginx of a fake hosting server. */
export class FakeWebServer {
  readonly #links = new Map<string, string>();
  /** Names that nginx serves without the agent. */
  readonly #foreignNames = new Set<string>();

  host(changes: Changes): Pick<Host, 'web'> {
    return {
      web: {
        observe: async ({ uid }) => ({ sites: this.#sitesOf(uid), served: true }),
        reloads: 0,
        check: async () => [],
        reload: async () => {},
        expect: () => {},
        publish: async ({ uid }, sites) => {
          const isTaken = ({ name }: Site) => this.#foreignNames.has(name);
          const free = sites.filter((site) => !isTaken(site));
          this.#place(
            uid,
            linksOf(uid, free, () => false),
            changes,
          );
          return new Map(sites.filter(isTaken).map(({ name }) => [name, `nginx serves ${name} already.`]));
        },
      },
    };
  }

  #place(uid: number, wanted: Links, changes: Changes): void {
    for (const [name, text] of wanted) {
      if (this.#links.get(name) === text) continue;
      this.#links.set(name, text);
      changes.record();
    }
    for (const [name, text] of [...this.#links]) {
      if (!text.startsWith(`${uid},`) || wanted.has(name)) continue;
      this.#links.delete(name);
      changes.record();
    }
  }

  /** The sites of all accounts. */
  get sites(): readonly Site[] {
    const uids = new Set([...this.#links.values()].map((text) => parseTarget(text)!.uid));
    return [...uids].flatMap((uid) => this.#sitesOf(uid));
  }

  traces({ uid }: Owner): string[] {
    return this.#sitesOf(uid).length > 0 ? ['site'] : [];
  }

  tamperings({ linux_user, domains }: AccountSpec) {
    const { name } = domains[0]!;
    return {
      'name removed from nginx': () => void this.#links.delete(name),
      'name moved to another root': () =>
        void this.#links.set(name, this.#links.get(name)!.replace(`,${linux_user},`, ',other,')),
    };
  }

  obstacles({ domains }: AccountSpec) {
    return {
      'a server block with that name': {
        put: () => void this.#foreignNames.add(domains[0]!.name),
        describe: () => [...this.#foreignNames],
        clear: () => this.#foreignNames.clear(),
      },
    };
  }

  #sitesOf(uid: number): Site[] {
    return parseSites(uid, this.#links.keys(), this.#links, () => true);
  }
}
