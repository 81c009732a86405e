/** The part of a socket that a pool uses. */
export interface PooledConnection {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Open connections, counted in total and by key. */
export interface ConnectionPool<C extends PooledConnection> {
  /**
   * Always accepts the new connection. If there is no room, closes the oldest connection of its key, or of the key with
   * the most connections.
   */
  add(key: string, connection: C): void;
  /** Removes a connection from the pool and leaves it open. */
  release(connection: C): void;
  destroyAll(): void;
  readonly size: number;
}

/** `onCut` is called for each connection that was closed to make room. */
export function createConnectionPool<C extends PooledConnection>(
  limits: { total: number; perKey: number },
  onCut: (key: string) => void,
): ConnectionPool<C> {
  const keys = new Map<C, string>();
  const groups = new Map<string, Set<C>>();

  const release = (connection: C) => {
    const key = keys.get(connection);
    if (key === undefined) return;
    keys.delete(connection);
    const group = groups.get(key);
    group?.delete(connection);
    if (group?.size === 0) groups.delete(key);
  };
  const cutOldestOf = (key: string, group: ReadonlySet<C>) => {
    const [oldest] = group;
    if (oldest === undefined) return;
    release(oldest);
    oldest.destroy();
    onCut(key);
  };
  const cutOldestOfLargest = () => {
    const [first, ...others] = groups;
    if (first === undefined) return;
    cutOldestOf(...others.reduce((most, group) => (group[1].size > most[1].size ? group : most), first));
  };

  return {
    add: (key, connection) => {
      const group = groups.get(key) ?? new Set();
      groups.set(key, group.add(connection));
      keys.set(connection, key);
      connection.once('close', () => release(connection));
      if (group.size > limits.perKey) cutOldestOf(key, group);
      else if (keys.size > limits.total) cutOldestOfLargest();
    },
    release,
    destroyAll: () => {
      for (const connection of [...keys.keys()]) connection.destroy();
    },
    get size() {
      return keys.size;
    },
  };
}
