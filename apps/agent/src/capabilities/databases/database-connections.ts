import { HostError } from '../../node/host-error.ts';
import type { Owner } from '../../node/owner.ts';
import { type DatabaseServer, serverErrorOf } from './database-server.ts';
import type { DatabaseConnections, Databases } from './host.ts';

/** The account's maximum share of all connections of the server, and the lowest number that this share can be. */
const SHARE = 1 / 4;
const LEAST_SHARE = 30;
/** Above this fraction of all connections, connections that do not sign in are closed. */
const NEARLY_FULL = 1 / 2;
/** After an account exceeded its share, its users together stay limited to that share for this many ms. */
const LIMITED_MS = 600_000;
const NOT_SIGNED_IN = 'unauthenticated user';
const ER_NO_SUCH_THREAD = 1094;

interface Connection {
  readonly id: number;
  readonly user: string;
}

/**
 * The server counts connections for each user at each host, so an account with many databases or hosts could use all
 * connections. This class closes the connections beyond the account's share. Then it limits the account's users to that
 * share for a while, through their limits on the server (docs/design/databases.md).
 */
export class SharedConnections implements DatabaseConnections {
  readonly #server: DatabaseServer;
  readonly #databases: Pick<Databases, 'ownersOf'>;
  readonly #now: () => number;
  readonly #limited = new Map<number, { share: number; until: number }>();
  /** Connections that had not signed in at the last check. */
  #strangers: ReadonlySet<number> = new Set();
  /** The agent's own connections that were open at the last count. */
  #ownIds: ReadonlySet<number> = new Set();

  /** `now`: monotonic clock, ms. */
  constructor(server: DatabaseServer, databases: Pick<Databases, 'ownersOf'>, now: () => number) {
    this.#server = server;
    this.#databases = databases;
    this.#now = now;
  }

  shareOf({ uid }: Owner): number | undefined {
    return this.#limited.get(uid)?.share;
  }

  async watch(): Promise<number[]> {
    if (!this.#server.installed) return [];
    const connections = await this.#connections();
    await this.#keepOwn(connections);
    const [most] = connections;
    const now = this.#now();
    const changed = [...this.#limited].flatMap(([uid, { until }]) => (until <= now ? [uid] : []));
    for (const uid of changed) this.#limited.delete(uid);
    if (most === undefined) return changed;
    await this.#endStrangers(connections, most.most);
    return [
      ...changed,
      ...(await this.#endExcess(connections, Math.max(LEAST_SHARE, Math.floor(most.most * SHARE)))),
    ];
  }

  close(): void {
    this.#ownIds = new Set();
    this.#server.letGo();
  }

  /**
   * The list of connections shows whether the agent's own are still open, so the server runs no extra statement. Where
   * the server has no free connection for them, connections of others are closed first, and the next check tries again.
   */
  async #keepOwn(connections: readonly Connection[]): Promise<void> {
    const open = new Set(connections.map(({ id }) => id));
    if (this.#ownIds.size === this.#server.holds && [...this.#ownIds].every((id) => open.has(id))) return;
    try {
      this.#ownIds = await this.#server.hold();
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
    }
  }

  async #connections(): Promise<(Connection & { most: number })[]> {
    const rows = await this.#server.query<{ id: number | string; user: string; most: number }>(
      'select id, user, @@max_connections as most from information_schema.processlist order by id',
    );
    return rows.map(({ id, user, most }) => ({ id: Number(id), user, most: Number(most) }));
  }

  async #endStrangers(connections: readonly Connection[], most: number): Promise<void> {
    const strangers = connections.flatMap(({ id, user }) => (user === NOT_SIGNED_IN ? [id] : []));
    const before = this.#strangers;
    this.#strangers = new Set(strangers);
    if (connections.length > most * NEARLY_FULL) await this.#end(strangers.filter((id) => before.has(id)));
  }

  /** Closes the newest connections and keeps the older ones of the account. */
  async #endExcess(connections: readonly Connection[], share: number): Promise<number[]> {
    if (connections.length <= share) return [];
    const owners = await this.#databases.ownersOf([...new Set(connections.map(({ user }) => user))]);
    const byOwner = new Map<number, number[]>();
    for (const { id, user } of connections) {
      const uid = owners.get(user);
      if (uid !== undefined) byOwner.set(uid, [...(byOwner.get(uid) ?? []), id]);
    }
    const newlyLimited: number[] = [];
    for (const [uid, ids] of byOwner) {
      if (ids.length <= share) continue;
      if (!this.#limited.has(uid)) newlyLimited.push(uid);
      this.#limited.set(uid, { share, until: this.#now() + LIMITED_MS });
      await this.#end(ids.slice(share));
    }
    return newlyLimited;
  }

  async #end(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      try {
        await this.#server.query(`kill connection ${id}`);
      } catch (error) {
        if (serverErrorOf(error) !== ER_NO_SUCH_THREAD) throw error;
      }
    }
  }
}
