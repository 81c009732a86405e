import type { Databases, WantedDatabase } from '../src/capabilities/databases/host.ts';
import type { Changes } from '../src/node/changes.ts';

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

  host(changes: Changes): Databases {
    const edit = (name: string, change: (database: FakeDatabase) => void) => {
      change(this.#at(name));
      changes.record();
    };
    return {
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
  }

  claims(uid: number): string[] {
    return [...this.#byName].flatMap(([name, { claim }]) => (claim?.uid === uid ? [name] : []));
  }

  tamper(name: string, change: (database: FakeDatabase) => void): void {
    change(this.#at(name));
  }

  addForeign(name: string): void {
    this.#byName.set(name, { claim: undefined, exists: true, users: new Map() });
  }

  removeForeign(name: string): void {
    if (this.#byName.get(name)?.claim === undefined) this.#byName.delete(name);
  }

  /** Objects that do not belong to the agent. */
  describe(name: string): unknown {
    const database = this.#byName.get(name);
    return database?.claim === undefined ? database?.exists : undefined;
  }

  #at(name: string): FakeDatabase {
    const known = this.#byName.get(name) ?? { claim: undefined, exists: false, users: new Map() };
    this.#byName.set(name, known);
    return known;
  }
}
