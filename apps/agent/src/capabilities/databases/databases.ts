import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import { stepSignal } from '../../node/step-signal.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import { type DatabaseServer, serverErrorOf } from './database-server.ts';
import {
  account,
  assertDatabaseName,
  forgetOldStatement,
  GLOBAL_PRIVILEGES,
  grantPattern,
  grantStatement,
  nativeHash,
  needsEncryption,
  PRIVILEGES,
  READ_ONLY_PRIVILEGES,
  userStatement,
} from './database-statements.ts';
import type { DatabaseState, Databases, DatabaseUser, WantedDatabase } from './host.ts';

/**
 * The claims are in a schema that belongs to the agent. A claim is written before anything is created, and removed
 * after everything is gone. So after a crash between any two statements, the next pass recognises what is left.
 */
const CLAIMS = '`innkeeper_agent`.`databases`';
/** Sessions that cannot end within this time, in ms (for example during a roll-back), are left to the next pass. */
const END_OF_SESSIONS_MS = 2_000;
const POLL_MS = 10;
/** A table is rewritten only when it has at least this much free space, and at least a tenth of its size. */
const WORTH_GIVING_BACK_BYTES = 4 * 1_048_576;
const GIVE_BACK_TIMEOUT_MS = 600_000;
const ER_BAD_DB = 1049;
const ER_NO_SUCH_TABLE = 1146;
const ER_NO_SUCH_THREAD = 1094;
const ER_DB_DROP_EXISTS = 1008;

interface ClaimRow {
  name: string;
  uid: number;
  password_revision: number;
}

interface UserRow {
  name: string;
  host: string;
  locked: number;
  connections: number;
  /** Whether the user has any privilege beyond its database. */
  global: number;
  /** Whether the user may connect only over TLS. */
  encrypted: number;
  /** Old passwords that are still valid. */
  old: number;
  /** MariaDB's hash; MySQL's cannot be compared. */
  hash: string | null;
}

type GrantRow = { Host: string; Db: string; User: string } & Record<string, string>;

export class NodeDatabases implements Databases, Traced {
  readonly #server: DatabaseServer;
  readonly #changes: Changes;
  readonly #withOld = new Set<string>();

  constructor(server: DatabaseServer, changes: Changes) {
    this.#server = server;
    this.#changes = changes;
  }

  async observe(owner: Owner, wanted: readonly WantedDatabase[]): Promise<DatabaseState[]> {
    for (const { name } of wanted) assertDatabaseName(owner, name);
    if (wanted.length === 0) return [];
    const names = wanted.map(({ name }) => name);
    const [claims, schemas, users, grants, sessions] = await Promise.all([
      this.#claims('name in (?)', [names]),
      this.#schemas(names),
      this.#users(names),
      this.#server.query<GrantRow>('select * from mysql.db where User in (?)', [names]),
      this.#sessions(names),
    ]);
    for (const name of names) this.#withOld.delete(name);
    for (const { name, old } of users) if (Number(old) > 0) this.#withOld.add(name);
    return wanted.map((database) => {
      const claim = claims.find(({ name }) => name === database.name);
      return {
        name: database.name,
        claimedBy: claim?.uid,
        passwordRevision: claim?.password_revision ?? 0,
        exists: schemas.has(database.name),
        users: users
          .filter(({ name }) => name === database.name)
          .map((user) => userState(user, database, grants)),
        sessions: sessions.filter(({ user }) => user === database.name).length,
      };
    });
  }

  async claim(owner: Owner, name: string): Promise<void> {
    assertDatabaseName(owner, name);
    await this.#server.query('create database if not exists `innkeeper_agent` character set utf8mb4');
    await this.#server.query(`create table if not exists ${CLAIMS} (
      name varchar(64) character set ascii collate ascii_bin not null primary key,
      uid bigint not null,
      password_revision bigint not null,
      key databases_uid (uid)
    ) engine = InnoDB`);
    await this.#change(`insert ignore into ${CLAIMS} (name, uid, password_revision) values (?, ?, 0)`, [
      name,
      owner.uid,
    ]);
  }

  async create(owner: Owner, name: string): Promise<void> {
    assertDatabaseName(owner, name);
    await this.#change(`create database if not exists \`${name}\` character set utf8mb4`);
  }

  async setUser(
    owner: Owner,
    { name, password, connections, readOnly }: WantedDatabase,
    host: string,
    { locked, keepOld }: { readonly locked: boolean; readonly keepOld: boolean },
  ): Promise<void> {
    assertDatabaseName(owner, name);
    const flavour = await this.#server.flavour();
    const user = { name, place: host, password, connections, locked };
    const before = keepOld ? (await this.#users([name])).find((known) => known.host === host) : undefined;
    await this.#change(userStatement('create user if not exists', flavour, user));
    await this.#change(userStatement('alter user', flavour, user, before && (before.hash ?? '')));
    await this.#change(`revoke all privileges, grant option from ${account(name, host)}`);
    await this.#change(grantStatement(name, host, readOnly));
  }

  async forgetOld(owner: Owner, { name, password }: WantedDatabase, host: string): Promise<void> {
    assertDatabaseName(owner, name);
    const flavour = await this.#server.flavour();
    await this.#change(forgetOldStatement(flavour, { name, place: host, password }));
  }

  withOldPasswords(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.#withOld.has(name));
  }

  async noteRevision(owner: Owner, name: string, revision: number): Promise<void> {
    assertDatabaseName(owner, name);
    const where = `where name = ? and uid = ?`;
    await this.#change(`update ${CLAIMS} set password_revision = ? ${where}`, [revision, name, owner.uid]);
  }

  async dropUser(owner: Owner, name: string, host: string): Promise<void> {
    assertDatabaseName(owner, name);
    await this.#change(`drop user if exists ${account(name, host)}`);
    await this.#kill((await this.#sessions([name])).filter((session) => session.place === host));
  }

  async endSessions(owner: Owner, name: string): Promise<void> {
    assertDatabaseName(owner, name);
    await this.#kill(await this.#sessions([name]));
  }

  async drop(owner: Owner, name: string): Promise<void> {
    assertDatabaseName(owner, name);
    await this.#kill(await this.#sessions([name]));
    try {
      await this.#change(`drop database \`${name}\``);
    } catch (error) {
      if (serverErrorOf(error) !== ER_DB_DROP_EXISTS) throw error;
    }
  }

  async release(owner: Owner, name: string): Promise<void> {
    assertDatabaseName(owner, name);
    await this.#change(`delete from ${CLAIMS} where name = ? and uid = ?`, [name, owner.uid]);
  }

  async #claimedBy(owner: Owner): Promise<string[]> {
    if (!this.#server.installed) return [];
    return (await this.#claims('uid = ?', [owner.uid])).map(({ name }) => name);
  }

  async ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const claims = await this.#claims('name in (?)', [names]);
    return new Map(claims.map(({ name, uid }) => [name, Number(uid)]));
  }

  async giveBackRoom(owner: Owner, names: readonly string[]): Promise<void> {
    for (const name of names) assertDatabaseName(owner, name);
    if (names.length === 0) return;
    const tables = await this.#server.query<{ base: string; name: string }>(
      `select table_schema as base, table_name as name from information_schema.tables
         where table_schema in (?) and engine = 'InnoDB' and data_free >= ${WORTH_GIVING_BACK_BYTES}
           and data_free * 10 >= data_length + index_length`,
      [names],
    );
    for (const { base, name } of tables)
      await this.#server.query('optimize no_write_to_binlog table ??.??', [base, name], GIVE_BACK_TIMEOUT_MS);
  }

  async usedBytes(): Promise<number | undefined> {
    if (!this.#server.installed) return undefined;
    const { bsize, blocks, bfree } = await statfs(await this.#server.dataFolder());
    return bsize * (blocks - bfree);
  }

  async #change(sql: string, values: readonly unknown[] = []): Promise<void> {
    try {
      await this.#server.query(sql, values);
    } finally {
      this.#changes.record();
    }
  }

  /** Resolves when the connections are gone: the server lists a connection until its thread has ended. */
  async #kill(sessions: readonly { id: number }[]): Promise<void> {
    if (sessions.length === 0) return;
    const ids = sessions.map(({ id }) => Number(id));
    for (const id of ids) {
      try {
        await this.#change(`kill connection ${id}`);
      } catch (error) {
        if (serverErrorOf(error) !== ER_NO_SUCH_THREAD) throw error;
      }
    }
    const deadline = performance.now() + END_OF_SESSIONS_MS;
    for (;;) {
      const left = await this.#server.query('select 1 from information_schema.processlist where id in (?)', [
        ids,
      ]);
      if (left.length === 0 || performance.now() > deadline) return;
      await delay(POLL_MS, undefined, { signal: stepSignal() });
    }
  }

  async #claims(where: string, values: readonly unknown[]): Promise<ClaimRow[]> {
    try {
      return await this.#server.query(
        `select name, uid, password_revision from ${CLAIMS} where ${where}`,
        values,
      );
    } catch (error) {
      const errno = serverErrorOf(error);
      if (errno === ER_BAD_DB || errno === ER_NO_SUCH_TABLE) return [];
      throw error;
    }
  }

  /** One equality for each name: servers look these up directly, but would list every folder for `in`. */
  async #schemas(names: readonly string[]): Promise<Set<string>> {
    const one = 'select schema_name as name from information_schema.schemata where schema_name = ?';
    const rows = await this.#server.query<{ name: string }>(names.map(() => one).join(' union all '), names);
    return new Set(rows.map(({ name }) => name));
  }

  async #users(names: readonly string[]): Promise<UserRow[]> {
    const isMariaDb = (await this.#server.flavour()) === 'mariadb';
    return await this.#server.query(
      isMariaDb
        ? `select User as name, Host as host, coalesce(json_value(Priv, '$.account_locked'), 0) as locked,
             coalesce(json_value(Priv, '$.max_user_connections'), 0) as connections,
             coalesce(json_value(Priv, '$.access'), 0) <> 0 as global,
             coalesce(json_value(Priv, '$.ssl_type'), 0) <> 0 as encrypted,
             coalesce(json_length(Priv, '$.auth_or'), 1) - 1 as old,
             json_value(Priv, '$.authentication_string') as hash
           from mysql.global_priv where User in (?)`
        : `select User as name, Host as host, account_locked = 'Y' as locked,
             max_user_connections as connections, 'Y' in (${GLOBAL_PRIVILEGES.join(', ')}) as global,
             ssl_type <> '' as encrypted, null as hash,
             coalesce(json_length(User_attributes, '$.additional_password'), 0) as old
           from mysql.user where User in (?)`,
      [names],
    );
  }

  async #sessions(names: readonly string[]): Promise<{ id: number; user: string; place: string }[]> {
    const rows = await this.#server.query<{ id: number; user: string; host: string }>(
      'select id, user, host from information_schema.processlist where user in (?)',
      [names],
    );
    return rows.map(({ id, user, host }) => ({ id, user, place: host.replace(/:\d+$/, '') }));
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const claimed = await this.#claimedBy(owner);
    return claimed.map((name) => left('database', name));
  }
}

function userState(
  { host, locked, connections, global, encrypted, old, hash }: UserRow,
  { name, password, connections: wantedConnections, readOnly }: WantedDatabase,
  grants: readonly GrantRow[],
): DatabaseUser {
  const granted = grants.filter((grant) => grant.User === name && grant.Host === host);
  const holds = (privileges: readonly string[]) =>
    granted.length === 1 && granted[0] !== undefined && isExactGrant(granted[0], name, privileges);
  const isReadOnly = holds(READ_ONLY_PRIVILEGES);
  const right =
    Number(connections) === wantedConnections &&
    Number(global) === 0 &&
    (Number(encrypted) === 1) === needsEncryption(host) &&
    (hash === null || hash === nativeHash(password)) &&
    (readOnly ? isReadOnly : holds(PRIVILEGES));
  return { host, locked: Number(locked) === 1, right, readOnly: isReadOnly, takesOld: Number(old) > 0 };
}

function isExactGrant(grant: GrantRow, name: string, privileges: readonly string[]): boolean {
  const wanted = new Set(privileges.map((privilege) => `${privilege}_priv`));
  const granted = Object.entries(grant).filter(
    ([column, value]) => column.endsWith('_priv') && value === 'Y',
  );
  return (
    grant.Db === grantPattern(name) &&
    granted.length === wanted.size &&
    granted.every(([column]) => wanted.has(column))
  );
}
