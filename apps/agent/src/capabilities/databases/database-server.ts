import { existsSync } from 'node:fs';
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import { HostError } from '../../node/host-error.ts';

export type Flavour = 'mariadb' | 'mysql';

const DEBIANS_DATA_FOLDER = '/var/lib/mysql';
const STATEMENT_TIMEOUT_MS = 30_000;
/** All connections are closed after this many ms without a statement. */
const IDLE_MS = 1_000;
const CONNECTIONS = 4;
/** Errors when the server is not running, or not ready yet. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'PROTOCOL_CONNECTION_LOST',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * The node's database server, through its Unix socket as root: the only access that needs no password. Values are
 * passed as values, never as parts of a statement. Errors do not contain the statement, because it may contain a
 * password.
 */
export class DatabaseServer {
  readonly #socketPath: string;
  #pool: Pool | undefined;
  #underWay = 0;
  #idle: NodeJS.Timeout | undefined;
  #flavour: Flavour | undefined;
  #dataFolder: string | undefined;
  #isHeld = false;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  get installed(): boolean {
    return existsSync(this.#socketPath);
  }

  async flavour(): Promise<Flavour> {
    if (this.#flavour === undefined) {
      const [row] = await this.query<{ version: string }>('select version() as version');
      this.#flavour = row?.version.includes('MariaDB') === true ? 'mariadb' : 'mysql';
    }
    return this.#flavour;
  }

  /** Returns the server's data folder; Debian's default until the server has reported its own. */
  async dataFolder(): Promise<string> {
    if (this.#dataFolder === undefined && this.installed) {
      const answer = this.query<{ folder: string }>('select @@datadir as folder');
      this.#dataFolder = (await answer.catch(() => []))[0]?.folder.replace(/\/+$/, '');
    }
    return this.#dataFolder ?? DEBIANS_DATA_FOLDER;
  }

  /**
   * Returns the rows of a statement. Throws HostError, which names the server's error; retryable while the server is
   * unavailable.
   */
  async query<Row>(
    sql: string,
    values: readonly unknown[] = [],
    timeoutMs = STATEMENT_TIMEOUT_MS,
  ): Promise<Row[]> {
    clearTimeout(this.#idle);
    this.#underWay += 1;
    this.#pool ??= connectionsTo(this.#socketPath);
    try {
      const [rows] = await this.#pool.query<RowDataPacket[]>({
        sql,
        values: [...values],
        timeout: timeoutMs,
      });
      return rows as Row[];
    } catch (error) {
      throw failureOf(error, this.#socketPath);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0 && !this.#isHeld)
        this.#idle = setTimeout(() => this.#hangUp(), IDLE_MS).unref();
    }
  }

  /**
   * Opens all connections that the agent uses, unless they are open, and keeps them until `letGo`: so the agent has
   * connections even on a full server. Returns their ids; fewer, where some were in use.
   */
  async hold(): Promise<ReadonlySet<number>> {
    this.#isHeld = true;
    const all = Array.from({ length: CONNECTIONS }, () =>
      this.query<{ id: number | string }>('select connection_id() as id'),
    );
    return new Set((await Promise.all(all)).map(([row]) => Number(row?.id)));
  }

  /** Number of connections that `hold` keeps. */
  get holds(): number {
    return CONNECTIONS;
  }

  letGo(): void {
    this.#isHeld = false;
    this.#idle = setTimeout(() => this.#hangUp(), 0).unref();
  }

  /** An open connection would keep the agent process from ending. */
  #hangUp(): void {
    const pool = this.#pool;
    this.#pool = undefined;
    // An error here means that the connection is already closed.
    void pool?.end().catch(() => {});
  }
}

function connectionsTo(socketPath: string): Pool {
  return createPool({
    socketPath,
    user: 'root',
    connectionLimit: CONNECTIONS,
    connectTimeout: 5_000,
    charset: 'utf8mb4',
    stringifyObjects: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
  });
}

/** Returns the server's error number for a failed statement; undefined for another failure. */
export function serverErrorOf(error: unknown): number | undefined {
  const cause = error instanceof HostError ? error.cause : error;
  const { errno } = (cause ?? {}) as { errno?: unknown };
  return typeof errno === 'number' ? errno : undefined;
}

function failureOf(error: unknown, socketPath: string): HostError {
  const { code = '', errno, sqlState } = error as { code?: string; errno?: number; sqlState?: string };
  if (AWAY.has(code))
    return new HostError('Failed', `The database server does not answer at ${socketPath} (${code}).`, {
      cause: { errno },
    });
  return new HostError('Failed', `The database server refused a statement: ${code} (${sqlState ?? errno}).`, {
    cause: { errno },
  });
}
