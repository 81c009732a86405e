import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import { conflict } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import type { Site } from './host.ts';
import { type Lists, parseLists, renderLists } from './nginx-lists.ts';

/** nginx of a fake hosting server. */
export class FakeWebServer {
  #lists: Lists = renderLists(new Map());
  #served = this.#lists;
  /** Names that nginx serves without the agent. */
  readonly #foreignNames = new Set<string>();

  host(changes: Changes): Pick<Host, 'web'> {
    return {
      web: {
        observe: async ({ uid }) => ({
          sites: parseLists(this.#lists).get(uid) ?? [],
          served: this.#served === this.#lists,
        }),
        reloads: 0,
        check: async () => [],
        reload: async () => {},
        expect: () => {},
        publish: async ({ uid }, sites) => {
          const claimed = sites.find((site) => this.#foreignNames.has(site.name));
          if (claimed !== undefined) throw conflict(`nginx serves ${claimed.name} already.`);
          const all = new Map<number, readonly Site[]>(parseLists(this.#lists));
          all.set(uid, sites);
          this.#lists = renderLists(all);
          changes.record();
          this.#served = this.#lists;
          changes.record();
        },
      },
    };
  }

  /** The sites of all accounts. */
  get sites(): readonly Site[] {
    return [...parseLists(this.#lists).values()].flat();
  }

  traces({ uid }: Owner): string[] {
    return parseLists(this.#lists).has(uid) ? ['site'] : [];
  }

  tamperings({ linux_user, domains }: AccountSpec) {
    const replace = (from: string, to: string) => () => {
      this.#lists = { ...this.#lists, 'site.map': this.#lists['site.map'].replaceAll(from, to) };
      this.#served = this.#lists;
    };
    return {
      'name removed from nginx': replace(`${domains[0]!.name} `, ''),
      'name moved to another root': replace(`/home/${linux_user}/`, '/home/other/'),
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
}
