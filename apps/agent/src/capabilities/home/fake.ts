import { siteFolder } from '@innkeeper/domain';
import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import { conflict, HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

interface FakeHome {
  uid: number;
  accessRight: boolean;
  paths: Set<string>;
}

/** The homes and folders of temporary files of a fake hosting server. */
export class FakeHomes {
  readonly byName = new Map<string, FakeHome>();
  readonly #staged = new Set<string>();
  /** Uids that have a folder of temporary files. */
  readonly #tmp = new Set<number>();
  readonly #onRemoved: (uid: number) => void;

  constructor(onRemoved: (uid: number) => void) {
    this.#onRemoved = onRemoved;
  }

  host(changes: Changes): Pick<Host, 'homes' | 'tmp'> {
    const homeOf = ({ name }: Owner): FakeHome => {
      const home = this.byName.get(name);
      if (home === undefined) throw new HostError('Failed', `There is no home ${name}.`);
      return home;
    };
    const add = (owner: Owner, path: string) => {
      const parts = path.split('/');
      for (const [at] of parts.entries()) homeOf(owner).paths.add(parts.slice(0, at + 1).join('/'));
      changes.record();
    };
    return {
      homes: {
        observe: async ({ name, uid }) => {
          const home = this.byName.get(name);
          const leftovers = this.#staged.has(name) ? [name] : [];
          if (home === undefined) return { kind: 'missing', accessRight: false, leftovers };
          return { kind: home.uid === uid ? 'ours' : 'foreign', accessRight: home.accessRight, leftovers };
        },
        create: async ({ name, uid }) => {
          if (this.byName.has(name)) throw conflict(`/home/${name} exists.`);
          this.#staged.add(name);
          changes.record();
          this.#staged.delete(name);
          this.byName.set(name, { uid, accessRight: true, paths: new Set() });
          changes.record();
        },
        repairAccess: async (owner) => {
          homeOf(owner).accessRight = true;
          changes.record();
        },
        missing: async (owner, paths) => paths.filter((path) => !homeOf(owner).paths.has(path)),
        createFolders: async (owner, paths) => {
          for (const path of paths) add(owner, path);
        },
        createDocumentRoot: async (owner, path) => add(owner, path),
        remove: async (owner) => {
          const home = this.byName.get(owner.name);
          if (home?.uid === owner.uid) {
            home.paths.clear();
            changes.record();
            this.byName.delete(owner.name);
            this.#onRemoved(owner.uid);
            changes.record();
          }
          if (this.#staged.delete(owner.name)) changes.record();
        },
      },
      tmp: {
        isRight: async ({ uid }) => this.#tmp.has(uid),
        make: async ({ uid }) => {
          this.#tmp.add(uid);
          changes.record();
        },
      },
    };
  }

  traces({ name, uid }: Owner): string[] {
    return this.byName.get(name)?.uid === uid ? ['home'] : [];
  }

  tamperings({ linux_user, domains }: AccountSpec) {
    const home = this.byName.get(linux_user)!;
    return {
      'home opened to all': () => {
        home.accessRight = false;
      },
      'private folder removed': () => void home.paths.delete('.php/sessions'),
      'document root removed': () => void home.paths.delete(siteFolder(domains[0]!.name)),
    };
  }

  obstacles({ linux_user }: AccountSpec) {
    return {
      'a home of another user': {
        put: () =>
          void this.byName.set(linux_user, { uid: 1_500, accessRight: false, paths: new Set(['kept']) }),
        describe: () => [...(this.byName.get(linux_user)?.paths ?? [])],
        clear: () => void this.byName.delete(linux_user),
      },
    };
  }
}
