import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import type { WantedDatabase } from './host.ts';

interface FakeDatabase {
  claim: { uid: number; revision: number } | undefined;
  exists: boolean;
  users: Map<
    string,
    { locked: boolean; right: boolean; old: boolean } & Pick<
      WantedDatabase,
      'password' | 'connections' | 'readOnly'
    >
  >;
}

/** The database server of a fake hosting server. */
export class FakeDatabases {
  readonly #byName = new Map<string, FakeDatabase>();

  host(changes: Changes): Pick<Host, 'databases' | 'databaseConnections'> {
    const edit = (name: string, change: (database: FakeDatabase) => void) => {
      change(this.#at(name));
      changes.record();
    };
    const databases: Host['databases'] = {
      observe: async (_owner, wanted) =>
        wanted.map(({ name, password, connections, readOnly }) => {
          const { claim, exists, users } = this.#at(name);
          return {
            name,
            claimedBy: claim?.uid,
            passwordRevision: claim?.revision ?? 0,
            exists,
            sessions: 0,
            users: [...users].map(([host, user]) => ({
              host,
              locked: user.locked,
              right:
                user.right &&
                user.password === password &&
                user.connections === connections &&
                user.readOnly === readOnly,
              readOnly: user.readOnly,
              takesOld: user.old,
            })),
          };
        }),
      claim: async ({ uid }, name) =>
        edit(name, (it) => {
          it.claim ??= { uid, revision: 0 };
        }),
      create: async (_owner, name) =>
        edit(name, (it) => {
          it.exists = true;
        }),
      setUser: async (_owner, { name, ...wanted }, host, { locked, keepOld }) => {
        const old = keepOld && this.#at(name).users.has(host);
        edit(name, (it) => void it.users.set(host, { ...wanted, locked, old, right: false }));
        edit(name, (it) => void it.users.set(host, { ...wanted, locked, old, right: true }));
      },
      forgetOld: async (_owner, { name }, host) =>
        edit(name, (it) => {
          const user = it.users.get(host);
          if (user !== undefined) user.old = false;
        }),
      withOldPasswords: (names) =>
        names.filter((name) => [...this.#at(name).users.values()].some(({ old }) => old)),
      noteRevision: async (_owner, name, revision) =>
        edit(name, (it) => {
          if (it.claim !== undefined) it.claim.revision = revision;
        }),
      dropUser: async (_owner, name, host) => edit(name, (it) => void it.users.delete(host)),
      endSessions: async () => {},
      drop: async (_owner, name) =>
        edit(name, (it) => {
          it.exists = false;
        }),
      release: async (_owner, name) =>
        edit(name, (it) => {
          it.claim = undefined;
        }),
      ownersOf: async () => new Map(),
      giveBackRoom: async () => {},
      usedBytes: async () => undefined,
    };
    const databaseConnections = { shareOf: () => undefined, watch: async () => [], close: () => {} };
    return { databases, databaseConnections };
  }

  traces({ uid }: Owner): string[] {
    return [...this.#byName.values()].some(({ claim }) => claim?.uid === uid) ? ['database'] : [];
  }

  tamperings({ databases }: AccountSpec) {
    const database = this.#at(databases[0]!.db_name);
    const unknownUser = { right: true, connections: 30, readOnly: false, password: '' };
    return {
      'database dropped': () => {
        database.exists = false;
      },
      'database user dropped': () => void database.users.delete('localhost'),
      'database user of another place': () =>
        void database.users.set('203.0.113.9', { ...unknownUser, locked: false, old: false }),
      'database grant widened': () => {
        for (const user of database.users.values()) user.right = false;
      },
    };
  }

  obstacles({ databases }: AccountSpec) {
    const name = databases[0]?.db_name ?? '';
    return {
      'a database of that name': {
        put: () => void this.#byName.set(name, { claim: undefined, exists: true, users: new Map() }),
        describe: () => this.#byName.get(name),
        clear: () => void this.#byName.delete(name),
      },
    };
  }

  #at(name: string): FakeDatabase {
    const known = this.#byName.get(name) ?? { claim: undefined, exists: false, users: new Map() };
    this.#byName.set(name, known);
    return known;
  }
}
